/* SPDX-License-Identifier: MIT */
/* Several layers of a 3D recording at once, seen obliquely from above: one
 * below the other, each a slanted plane, so that none hides another. */
#ifndef HAMON_DRAW_FIGURE_OBLIQUE_H
#define HAMON_DRAW_FIGURE_OBLIQUE_H

#include "draw/canvas/page.h"
#include "draw/figure/projection.h"
#include "view/layers.h"

struct oblique {
    struct projection projection;
    int width, height; /* pixels */
};

/* Computes the positions of the layers, with `cell` pixels a cell along x. If
 * agents are drawn, `reach` is their size in pixels round their position: that
 * room is left at every edge, and above and below also for all within
 * layers->first … last. 0: no agents. */
void oblique_lay_out(const struct view *view, const struct layers *layers,
                     int cell, double reach, struct oblique *oblique);

/* The approximate width of such a view of nx × ny cells, in cells. */
double oblique_cells(int nx, int ny);

/* The middle of the left edge of the layer at z. */
void oblique_edge(const struct view *view, const struct oblique *oblique, int z,
                  double pixel[2]);

/* Outlines the layer at z. */
void oblique_frame(const struct view *view, const struct oblique *oblique,
                   int z, struct page *page, double width);

#endif
