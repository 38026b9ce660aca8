/* SPDX-License-Identifier: MIT */
/* The grid of cells and the positions on it.
 *
 * A field over the grid is one block of shape (nz, ny, nx), x fastest. Cell
 * centres are at whole coordinates; x is the column, y the row counted from the
 * top, z the layer; so positions are in [0, n − 1] on each axis. */
#ifndef HAMON_WORLD_GRID_H
#define HAMON_WORLD_GRID_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRID_AXES = 3 };

/* A 2D grid is not a 3D one with a single layer: dims determines the number of
 * neighbours of a cell. nz is 1 if dims is 2. */
struct grid {
    int dims; /* 2 or 3 */
    int nx, ny, nz;
};

/* The number of axes: 2 or 3, in a form that a static analyser understands. */
static inline int grid_axes(const struct grid *grid)
{
    return grid->dims == GRID_AXES ? GRID_AXES : 2;
}

/* The six directions; the opposite of d is d ^ 1. */
enum direction { EAST, WEST, SOUTH, NORTH, DOWN, UP, DIRECTIONS };

/* The unit step of each direction: {dx, dy, dz}. South is y + 1 (rows run
 * from the top), down is z + 1. */
extern const int direction_step[DIRECTIONS][GRID_AXES];

/* "east", "west", "south", "north", "down", "up". */
extern const char *const direction_names[DIRECTIONS];

/* Checks extents: dims 2 or 3, each ≥ 1, nz = 1 in 2D, at most 2^31 − 1 cells
 * in all (cells are stored as int32). STATUS_INPUT otherwise. */
enum status grid_make(int dims, int nx, int ny, int nz, struct grid *grid,
                      struct error *error);

static inline size_t grid_cells(const struct grid *grid)
{
    return (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz;
}

static inline size_t grid_index(const struct grid *grid, int x, int y, int z)
{
    return ((size_t)z * (size_t)grid->ny + (size_t)y) * (size_t)grid->nx +
           (size_t)x;
}

static inline bool grid_holds(const struct grid *grid, int x, int y, int z)
{
    return x >= 0 && x < grid->nx && y >= 0 && y < grid->ny && z >= 0 &&
           z < grid->nz;
}

/* No cell: for a source outside the part in memory. */
#define GRID_NOWHERE SIZE_MAX

/* The cell of an index, the inverse of grid_index. */
static inline void grid_cell(const struct grid *grid, size_t index,
                             int cell[GRID_AXES])
{
    uint32_t at = (uint32_t)index; /* 32-bit divisions are faster */
    uint32_t row = at / (uint32_t)grid->nx;
    uint32_t layer = row / (uint32_t)grid->ny;
    cell[0] = (int)(at - row * (uint32_t)grid->nx);
    cell[1] = (int)(row - layer * (uint32_t)grid->ny);
    cell[2] = (int)layer;
}

/* ⌊at + ½⌋, clamped to the extent. Not by floor(), which without SSE 4.1 is
 * several instructions, because the tracing of paths calls this often: in the
 * range of ints the conversion gives the same. */
static inline int grid_nearest_place(double at, int extent)
{
    double above = at + 0.5;
    if (!(above >= 1))
        return 0;
    return above >= extent ? extent - 1 : (int)above;
}

/* The index of the cell nearest to a position, clamped to the grid. */
static inline size_t grid_nearest(const struct grid *grid,
                                  const double at[GRID_AXES])
{
    return grid_index(grid, grid_nearest_place(at[0], grid->nx),
                      grid_nearest_place(at[1], grid->ny),
                      grid_nearest_place(at[2], grid->nz));
}

/* A block of cells, both ends included; z is 0 … 0 in 2D. */
struct box {
    int low[GRID_AXES], high[GRID_AXES];
};

/* Cells along an axis, and in total. */
static inline size_t box_width(const struct box *box, int axis)
{
    return (size_t)(box->high[axis] - box->low[axis] + 1);
}

static inline size_t box_cells(const struct box *box)
{
    size_t cells = 1;
    for (int axis = 0; axis < GRID_AXES; axis++)
        cells *= box_width(box, axis);
    return cells;
}

/* The box of the whole grid; and the grid of a box. */
struct box grid_box(const struct grid *grid);
struct grid box_grid(const struct box *box, int dims);

#endif
