/* SPDX-License-Identifier: MIT */
/* A plane of cells taken out of a block: what a picture of it shows. */
#ifndef HAMON_VIEW_CUT_H
#define HAMON_VIEW_CUT_H

#include "base/status.h"
#include "world/grid.h"

#include <stdint.h>

/* The plane where the coordinate `axis` (0 x, 1 y, 2 z) of the block is `at`.
 * It is looked at with x to the right and y down (axis z), x to the right and
 * z down (axis y), or y to the right and z down (axis x). */
struct cut {
    struct grid block;
    int axis, at;
    int right, down; /* the axes of the picture */
    int nx, ny;      /* its columns and rows */
};

/* `at` counts from the block's own first cell and must be inside it. */
void cut_make(const struct grid *block, int axis, int at, struct cut *cut);

/* The cell of the block, as an index, of each of the picture's: the first,
 * the way to the next column, the way to the next row. */
size_t cut_first(const struct cut *cut);
size_t cut_column_stride(const struct cut *cut);
size_t cut_row_stride(const struct cut *cut);

/* The picture's cell that stands for the block's: the inverse of the above,
 * whatever the plane. */
size_t cut_cell_of(const struct cut *cut, size_t index);

/* Copies the plane, (ny, nx), out of a block of shape (nz, ny, nx). */
void cut_take(const struct cut *cut, const double *block, double *plane);
void cut_take_bytes(const struct cut *cut, const uint8_t *block,
                    uint8_t *plane);

#endif
