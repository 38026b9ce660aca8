/* SPDX-License-Identifier: MIT */
#include "view/cut.h"

static const struct {
    int right, down;
} looking_along[GRID_AXES] = { { 1, 2 }, { 0, 2 }, { 0, 1 } };

static int extent(const struct grid *grid, int axis)
{
    return axis == 0 ? grid->nx : axis == 1 ? grid->ny : grid->nz;
}

static size_t stride(const struct grid *grid, int axis)
{
    size_t row = (size_t)grid->nx;
    return axis == 0 ? 1 : axis == 1 ? row : row * (size_t)grid->ny;
}

void cut_make(const struct grid *block, int axis, int at, struct cut *cut)
{
    *cut = (struct cut){ .block = *block,
                         .axis = axis,
                         .at = at,
                         .right = looking_along[axis].right,
                         .down = looking_along[axis].down };
    cut->nx = extent(block, cut->right);
    cut->ny = extent(block, cut->down);
}

size_t cut_first(const struct cut *cut)
{
    return (size_t)cut->at * stride(&cut->block, cut->axis);
}

size_t cut_column_stride(const struct cut *cut)
{
    return stride(&cut->block, cut->right);
}

size_t cut_row_stride(const struct cut *cut)
{
    return stride(&cut->block, cut->down);
}

size_t cut_cell_of(const struct cut *cut, size_t index)
{
    int cell[GRID_AXES];
    grid_cell(&cut->block, index, cell);
    return (size_t)cell[cut->down] * (size_t)cut->nx + (size_t)cell[cut->right];
}

#define TAKE(type, block, plane)                                               \
    do {                                                                       \
        size_t column = cut_column_stride(cut), row = cut_row_stride(cut);     \
        for (int y = 0; y < cut->ny; y++) {                                    \
            const type *from = (block) + cut_first(cut) + (size_t)y * row;     \
            for (int x = 0; x < cut->nx; x++)                                  \
                *(plane)++ = from[(size_t)x * column];                         \
        }                                                                      \
    } while (0)

void cut_take(const struct cut *cut, const double *block, double *plane)
{
    TAKE(double, block, plane);
}

void cut_take_bytes(const struct cut *cut, const uint8_t *block, uint8_t *plane)
{
    TAKE(uint8_t, block, plane);
}
