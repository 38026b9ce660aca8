/* SPDX-License-Identifier: MIT */
#include "world/grid.h"

const int direction_step[DIRECTIONS][GRID_AXES] = {
    [EAST] = { 1, 0, 0 },   [WEST] = { -1, 0, 0 }, [SOUTH] = { 0, 1, 0 },
    [NORTH] = { 0, -1, 0 }, [DOWN] = { 0, 0, 1 },  [UP] = { 0, 0, -1 },
};

const char *const direction_names[DIRECTIONS] = {
    [EAST] = "east",   [WEST] = "west", [SOUTH] = "south",
    [NORTH] = "north", [DOWN] = "down", [UP] = "up",
};

enum status grid_make(int dims, int nx, int ny, int nz, struct grid *grid,
                      struct error *error)
{
    if (dims != 2 && dims != 3)
        return error_set(error, STATUS_INPUT, "a grid has 2 or 3 axes, not %d",
                         dims);
    if (nx < 1 || ny < 1 || nz < 1 || (dims == 2 && nz != 1))
        return error_set(error, STATUS_INPUT,
                         "a grid of %d x %d x %d cells: each extent must be at "
                         "least 1%s",
                         nx, ny, nz,
                         dims == 2 ? ", and the third 1 in 2D" : "");
    /* nx·ny fits in 62 bits, and is checked before the next multiplication. */
    int64_t layer = (int64_t)nx * ny;
    if (layer > INT32_MAX || layer * nz > INT32_MAX)
        return error_set(error, STATUS_INPUT,
                         "a grid of %d x %d x %d cells is too large: at most "
                         "2147483647 cells are allowed",
                         nx, ny, nz);
    *grid = (struct grid){ .dims = dims, .nx = nx, .ny = ny, .nz = nz };
    return STATUS_OK;
}

struct box grid_box(const struct grid *grid)
{
    return (struct box){ .high = { grid->nx - 1, grid->ny - 1, grid->nz - 1 } };
}

struct grid box_grid(const struct box *box, int dims)
{
    return (struct grid){ dims, (int)box_width(box, 0), (int)box_width(box, 1),
                          (int)box_width(box, 2) };
}
