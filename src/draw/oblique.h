/* SPDX-License-Identifier: MIT */
/* Several layers of a 3D recording seen at once, from above and before: one
 * under the other, each a slanted plane, so that none hides another. */
#ifndef HAMON_DRAW_OBLIQUE_H
#define HAMON_DRAW_OBLIQUE_H

#include "draw/mask.h"
#include "draw/stage.h"
#include "draw/view.h"

enum { OBLIQUE_MOST = 16 };

struct oblique {
    int planes[OBLIQUE_MOST]; /* z of the world, from the top */
    int count;
    struct stage stage;
    int width, height; /* pixels */
};

/* Chooses the middle layer of each floor, a floor being layers between those
 * that are more than half wall; where there are no floors, three layers evenly
 * spread. The view must have read a row. */
void oblique_floors(const struct view *view, struct oblique *oblique);

/* Works out where the chosen planes stand, `cell` pixels a cell along x. */
void oblique_lay_out(const struct view *view, int cell,
                     struct oblique *oblique);

/* The middle of the left edge of a plane. */
void oblique_edge(const struct view *view, const struct oblique *oblique,
                  int plane, double pixel[2]);

/* Outlines a plane. */
void oblique_frame(const struct view *view, const struct oblique *oblique,
                   int plane, struct mask *mask, double width);

#endif
