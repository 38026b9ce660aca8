/* SPDX-License-Identifier: MIT */
/* Several layers of a 3D recording seen at once, from above and before: one
 * under the other, each a slanted plane, so that none hides another. */
#ifndef HAMON_DRAW_FIGURE_OBLIQUE_H
#define HAMON_DRAW_FIGURE_OBLIQUE_H

#include "draw/canvas/canvas.h"
#include "draw/figure/stage.h"
#include "view/layers.h"

struct oblique {
    struct stage stage;
    int width, height; /* pixels */
};

/* Works out where the layers stand, `cell` pixels a cell along x. Where agents
 * are drawn, `reach` is how many pixels they take round their place: there is
 * room for that at every edge, and above and below for all that layers->first …
 * last take in. 0: there are none. */
void oblique_lay_out(const struct view *view, const struct layers *layers,
                     int cell, double reach, struct oblique *oblique);

/* How many cells such a view of nx × ny cells is wide, about. */
double oblique_cells(int nx, int ny);

/* The middle of the left edge of the layer at z. */
void oblique_edge(const struct view *view, const struct oblique *oblique, int z,
                  double pixel[2]);

/* Outlines the layer at z. */
void oblique_frame(const struct view *view, const struct oblique *oblique,
                   int z, const struct canvas *canvas, double width);

#endif
