/* SPDX-License-Identifier: MIT */
/* The layers of a 3D map that a picture shows, and what stands on each: agents
 * fly, and are seldom exactly in the one that is drawn. */
#ifndef HAMON_VIEW_LAYERS_H
#define HAMON_VIEW_LAYERS_H

#include "view/view.h"

#include <stdbool.h>

enum { LAYERS_MOST = 16 };

/* Coordinates are the world's, along `axis`, in cells. */
struct layers {
    int axis, count;     /* count 0: all is seen alike */
    int at[LAYERS_MOST]; /* ascending: from the top where the axis is z */
    /* What stands on each: low ≤ coordinate < high. It is the layer itself, to
     * where coordinates round to it; of a map with floors the whole floor that
     * it is of, where no other layer of that floor is shown. */
    double low[LAYERS_MOST], high[LAYERS_MOST];
    double first, last; /* what lies before or behind is left out */
};

/* Floors are layers z between those that are more than half wall: a map has
 * some where there are two or more. The view must have read a row, for all of
 * these; its region's walls tell. */
bool layers_has_floors(const struct view *view);

/* The layer of each floor that has the least walls, so that its doors are seen,
 * of several the one nearest the middle; where there are no floors, three
 * layers evenly spread. */
void layers_of_floors(const struct view *view, struct layers *layers);

/* These layers z, ascending. */
void layers_of_list(const struct view *view, const int *list, int count,
                    struct layers *layers);

/* The layer z nearest the middle that is not more than half wall; the middle
 * where all are. */
int layers_middle(const struct view *view);

/* The one plane that the view is at. */
void layers_of_plane(const struct view *view, struct layers *layers);

/* The layer that something stands on, or −1: it is between them. */
int layers_find(const struct layers *layers, double coordinate);

/* Is it neither before nor behind all that is shown? */
bool layers_see(const struct layers *layers, double coordinate);

/* Where it is seen: at its layer, or, from one to the next, as far on the way
 * as it has come between what stands on each. */
double layers_height(const struct layers *layers, double coordinate);

/* Of the way from → to, after the part `part` (0 … 1) of it, the next at which
 * it comes to another layer or leaves one; 1 at the end. */
double layers_next(const struct layers *layers, double from, double to,
                   double part);

/* The least distance of two layers; 0 where there is one. */
int layers_nearest(const struct layers *layers);

#endif
