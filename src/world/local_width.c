/* SPDX-License-Identifier: MIT */
#include "world/local_width.h"

#include "base/memory.h"

#include <string.h>

/* The distance in memory from a cell to its neighbour along an axis, in
 * cells. */
static size_t stride(const struct grid *grid, int axis)
{
    return axis == 0   ? 1
           : axis == 1 ? (size_t)grid->nx
                       : (size_t)grid->nx * (size_t)grid->ny;
}

static int extent(const struct grid *grid, int axis)
{
    return axis == 0 ? grid->nx : axis == 1 ? grid->ny : grid->nz;
}

/* The side of the largest free cube whose last corner is the cell: 1 + the
 * minimum over the neighbours before it, along axes and diagonals. */
static void find_sides(const struct grid *grid, const uint8_t *wall,
                       int32_t *side)
{
    const int axes = grid_axes(grid);
    for (size_t i = 0; i < grid_cells(grid); i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        int32_t least = wall[i] ? -1 : INT32_MAX;
        for (int corner = 1; corner < 1 << axes && least > 0; corner++) {
            size_t before = i;
            bool inside = true;
            for (int axis = 0; axis < axes; axis++)
                if (corner >> axis & 1) {
                    inside = inside && at[axis] > 0;
                    before -= stride(grid, axis);
                }
            int32_t other = inside ? side[before] : 0;
            least = other < least ? other : least;
        }
        side[i] = least + 1;
    }
}

/* Each cube whose side is from `half` to 2·half − 1 is the union of 2^axes
 * cubes of side `half`; their first corners get its side. */
static void put_corners(const struct grid *grid, const int32_t *side,
                        int32_t half, int32_t *width)
{
    const int axes = grid_axes(grid);
    for (size_t i = 0; i < grid_cells(grid); i++) {
        if (side[i] < half || side[i] / 2 >= half)
            continue;
        for (int corner = 0; corner < 1 << axes; corner++) {
            size_t first = i;
            for (int axis = 0; axis < axes; axis++)
                first -= (size_t)((corner >> axis & 1 ? half : side[i]) - 1) *
                         stride(grid, axis);
            if (width[first] < side[i])
                width[first] = side[i];
        }
    }
}

/* A value of the cube of side 2·half applies also to the 2^axes cubes of side
 * `half` in it. */
static void halve(const struct grid *grid, int32_t half, int32_t *width)
{
    for (int axis = 0; axis < grid_axes(grid); axis++) {
        size_t apart = (size_t)half * stride(grid, axis);
        for (size_t i = grid_cells(grid); i-- > apart;) {
            int at[GRID_AXES];
            if (width[i - apart] <= width[i])
                continue;
            grid_cell(grid, i, at);
            if (at[axis] >= half)
                width[i] = width[i - apart];
        }
    }
}

/* The side of the largest free cube that contains each cell; `side` is work
 * space. */
static void find_widths(const struct grid *grid, const uint8_t *wall,
                        int32_t *side, int32_t *width)
{
    int32_t half = 1;
    size_t cells = grid_cells(grid);
    find_sides(grid, wall, side);
    memset(width, 0, cells * sizeof *width);
    for (size_t i = 0; i < cells; i++)
        while (side[i] / 2 >= half)
            half *= 2;
    put_corners(grid, side, half, width);
    while (half > 1) {
        half /= 2;
        halve(grid, half, width);
        put_corners(grid, side, half, width);
    }
}

/* For the map within a border of free cells. */
static enum status find_bordered(const struct terrain *terrain, int32_t *width,
                                 struct error *error)
{
    const struct grid *grid = &terrain->grid;
    int deep = grid->dims == 3;
    const struct grid wide = { grid->dims, grid->nx + 2, grid->ny + 2,
                               grid->nz + 2 * deep };
    size_t cells = grid_cells(&wide);
    uint8_t *wall = memory_new(cells, 1);
    int32_t *side = memory_new(cells, sizeof *side);
    int32_t *wider = memory_new(cells, sizeof *wider);
    enum status status =
        wall && side && wider ? STATUS_OK : error_memory(error);
    size_t rows = (size_t)grid->ny * (size_t)grid->nz, nx = (size_t)grid->nx;
    for (size_t row = 0; row < rows && !status; row++) {
        int y = (int)(row % (size_t)grid->ny),
            z = (int)(row / (size_t)grid->ny);
        memcpy(&wall[grid_index(&wide, 1, y + 1, z + deep)],
               &terrain->wall[row * nx], nx);
    }
    if (!status)
        find_widths(&wide, wall, side, wider);
    for (size_t i = 0; i < rows * nx && !status; i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        if (wider[grid_index(&wide, at[0] + 1, at[1] + 1, at[2] + deep)] >
            width[i])
            width[i] = 0;
    }
    memory_release(wall);
    memory_release(side);
    memory_release(wider);
    return status;
}

/* The length of the free run along an axis that each free cell is part of. */
static void find_runs(const struct terrain *terrain, int axis, int32_t *length)
{
    const struct grid *grid = &terrain->grid;
    size_t apart = stride(grid, axis);
    for (size_t i = 0; i < grid_cells(grid); i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        if (terrain->wall[i] || (at[axis] && !terrain->wall[i - apart]))
            continue;
        int32_t run = 0;
        while (at[axis] + run < extent(grid, axis) &&
               !terrain->wall[i + (size_t)run * apart])
            run++;
        for (int32_t k = 0; k < run; k++)
            length[i + (size_t)k * apart] = run;
    }
}

static int32_t middle(int32_t a, int32_t b, int32_t c)
{
    int32_t least = a < b ? a : b, most = a < b ? b : a;
    return c < least ? least : c > most ? most : c;
}

static enum status find_heights(const struct terrain *terrain,
                                const int32_t *width, int32_t *height,
                                struct error *error)
{
    size_t cells = grid_cells(&terrain->grid);
    int32_t *run[GRID_AXES];
    enum status status = STATUS_OK;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        run[axis] = memory_new(cells, sizeof *run[axis]);
        if (!run[axis])
            status = error_memory(error);
        else
            find_runs(terrain, axis, run[axis]);
    }
    for (size_t i = 0; i < cells && !status; i++)
        height[i] = width[i] ? middle(run[0][i], run[1][i], run[2][i]) : 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(run[axis]);
    return status;
}

enum status local_width(const struct terrain *terrain, int32_t *width,
                        int32_t *height, struct error *error)
{
    const struct grid *grid = &terrain->grid;
    int32_t *side = memory_new(grid_cells(grid), sizeof *side);
    if (!side)
        return error_memory(error);
    find_widths(grid, terrain->wall, side, width);
    memory_release(side);
    enum status status = find_bordered(terrain, width, error);
    if (!status && height)
        status = find_heights(terrain, width, height, error);
    return status;
}
