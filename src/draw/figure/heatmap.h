/* SPDX-License-Identifier: MIT */
/* A plane of a field painted in colours, a square of pixels for each cell. */
#ifndef HAMON_DRAW_FIGURE_HEATMAP_H
#define HAMON_DRAW_FIGURE_HEATMAP_H

#include "draw/colormap/colormap.h"
#include "draw/colormap/levels.h"
#include "draw/colormap/scale.h"
#include "draw/raster/image.h"
#include "draw/raster/sheet.h"

/* The painted plane: nx columns to the right, ny rows downwards. */
struct plane {
    int nx, ny;
    const double *values; /* (ny, nx); NaN is a cell without a value */
    const uint8_t *wall; /* (ny, nx), ≠ 0 is wall; NULL: walls are not drawn */
};

/* Paints cell (0, 0) at the pixels (left, top) …; each cell is `cell` × `cell`
 * pixels of one colour. All of it must be inside the image. */
void heatmap_paint(const struct plane *plane, const struct scale *scale,
                   const struct ramp *ramp, int cell, struct image *image,
                   int left, int top);

/* The colours that heatmap_paint gives the plane, which is of the sheet's size.
 * False, with undefined content, if they are too many: all 256 of the map, and
 * walls or cells without a value. */
bool heatmap_paint_sheet(const struct plane *plane, const struct levels *levels,
                         const struct ramp *ramp, struct sheet *sheet);

#endif
