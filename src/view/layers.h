/* SPDX-License-Identifier: MIT */
/* The layers of a 3D map that a picture shows, and the range of coordinates
 * assigned to each: agents fly, and are seldom exactly in the layer that is
 * drawn. */
#ifndef HAMON_VIEW_LAYERS_H
#define HAMON_VIEW_LAYERS_H

#include "view/view.h"

#include <stdbool.h>

enum { LAYERS_MOST = 16 };

/* Coordinates are the world's, along `axis`, in cells. */
struct layers {
    int axis, count;     /* count 0: everything is equally visible */
    int at[LAYERS_MOST]; /* ascending: from the top if the axis is z */
    /* The range assigned to each: low ≤ coordinate < high. It is the layer
     * itself, within rounding of coordinates; in a map with floors the whole
     * floor of the layer, if no other layer of that floor is shown. */
    double low[LAYERS_MOST], high[LAYERS_MOST];
    double first, last; /* all outside this range is hidden */
};

/* Floors are the ranges of layers z between those that are more than half wall:
 * a map has floors if there are at least two. The view must have read a row,
 * for all of these functions; they use its region's walls. */
bool layers_has_floors(const struct view *view);

/* The layer of each floor with the fewest walls, so that its doors are visible;
 * of several the one nearest the middle. Without floors, three evenly spread
 * layers. */
void layers_of_floors(const struct view *view, struct layers *layers);

/* These layers z, ascending. */
void layers_of_list(const struct view *view, const int *list, int count,
                    struct layers *layers);

/* The layer z nearest the middle that is not more than half wall; the middle if
 * all are. */
int layers_middle(const struct view *view);

/* The one plane of the view. */
void layers_of_plane(const struct view *view, struct layers *layers);

/* The layer assigned to a coordinate, or −1: it is between them. */
int layers_find(const struct layers *layers, double coordinate);

/* Is it inside the visible range? */
bool layers_see(const struct layers *layers, double coordinate);

/* The height at which it is drawn: at its layer, or between two layers in
 * proportion to its position between their ranges. */
double layers_height(const struct layers *layers, double coordinate);

/* Along the path from → to, after its fraction `part` (0 … 1), the next
 * fraction at which it enters or leaves a layer; 1 at the end. */
double layers_next(const struct layers *layers, double from, double to,
                   double part);

/* The minimum distance of two layers; 0 if there is one. */
int layers_nearest(const struct layers *layers);

#endif
