/* SPDX-License-Identifier: MIT */
/* The parts of a step of the wave: stencils, the layout of a field in memory,
 * the fast loops, the halo. Nothing here depends on wave.h; wave/ uses it.
 *
 * The layout of a field in memory.
 *
 * There is one ghost cell round every row, and round the rows of a layer (in
 * 3D: round the layers too). A ghost has the value of the cell beside it: this
 * mirror is the rule of the map's edge, and the loops need no branch for it.
 * The distance between rows is a whole number of 64-byte lines, and the loops
 * work on whole lines, as few as contain a row: cell x is in lane (x + lead)
 * mod lanes. A line with cells of a row contains nothing of another row, so
 * loops in different rows may run at the same time. What a loop writes behind
 * the last cell of a line does not matter, except that the ghosts are updated
 * after each row. */
#ifndef HAMON_WAVE_STEP_LAYOUT_H
#define HAMON_WAVE_STEP_LAYOUT_H

#include "world/grid.h"

#include <stdint.h>

struct layout {
    struct grid grid;
    size_t item;  /* bytes of a value: 4 or 8 */
    size_t lanes; /* values in 64 bytes */
    size_t lead; /* 1: the ghost before x = 0 shares its line; 0: it does not */
    ptrdiff_t stride, layer;
    ptrdiff_t origin; /* index of cell (0, 0, 0) */
    size_t items;     /* of a field with its ghosts */
};

/* STATUS_INPUT if the sizes do not fit size_t. */
enum status layout_make(const struct grid *grid, size_t item,
                        struct layout *layout, struct error *error);

static inline ptrdiff_t layout_at(const struct layout *layout, int x, int y,
                                  int z)
{
    return layout->origin + z * layout->layer + y * layout->stride + x;
}

/* The index of a cell given as in grid_index. */
static inline ptrdiff_t layout_cell(const struct layout *layout, size_t cell)
{
    int at[GRID_AXES];
    grid_cell(&layout->grid, cell, at);
    return layout_at(layout, at[0], at[1], at[2]);
}

static inline double field_value(const struct layout *layout, const void *field,
                                 ptrdiff_t index)
{
    return layout->item == sizeof(float) ? (double)((const float *)field)[index]
                                         : ((const double *)field)[index];
}

/* Rounds `value` once to the field's precision. */
static inline void field_set(const struct layout *layout, void *field,
                             ptrdiff_t index, double value)
{
    if (layout->item == sizeof(float))
        ((float *)field)[index] = (float)value;
    else
        ((double *)field)[index] = value;
}

/* The address of an item; field_from: to read it only. */
static inline void *field_at(const struct layout *layout, void *field,
                             ptrdiff_t index)
{
    return (char *)field + index * (ptrdiff_t)layout->item;
}

static inline const void *field_from(const struct layout *layout,
                                     const void *field, ptrdiff_t index)
{
    return (const char *)field + index * (ptrdiff_t)layout->item;
}

/* layout_mirror_row updates the ghosts round the row (y, z); layout_mirror
 * those round every row. */
void layout_mirror_row(const struct layout *layout, void *field, int y, int z);
void layout_mirror(const struct layout *layout, void *field);

#endif
