/* SPDX-License-Identifier: MIT */
/* A plane of cells out of a block, for a picture. */
#ifndef HAMON_VIEW_CUT_H
#define HAMON_VIEW_CUT_H

#include "base/status.h"
#include "world/grid.h"

#include <stdint.h>

/* The plane where the coordinate `axis` (0 x, 1 y, 2 z) of the block is `at`.
 * It is seen with x to the right and y down (axis z), x to the right and z down
 * (axis y), or y to the right and z down (axis x). */
struct cut {
    struct grid block;
    int axis, at;
    int right, down; /* the axes of the picture */
    int nx, ny;      /* `at` is relative to the block's own first cell and must
                      * be inside it. */
};

/* `at` counts from the block's own first cell and must be inside it. */
void cut_make(const struct grid *block, int axis, int at, struct cut *cut);

/* The block's cell, as an index, of the picture's first cell; the index step to
 * the next column; the index step to the next row. */
size_t cut_first(const struct cut *cut);
size_t cut_column_stride(const struct cut *cut);
size_t cut_row_stride(const struct cut *cut);

/* The picture's cell for a cell of the block: the inverse of the above, in any
 * plane. */
size_t cut_cell_of(const struct cut *cut, size_t index);

/* Copies the plane, (ny, nx), out of a block of shape (nz, ny, nx). */
void cut_take(const struct cut *cut, const double *block, double *plane);
void cut_take_bytes(const struct cut *cut, const uint8_t *block,
                    uint8_t *plane);

#endif
