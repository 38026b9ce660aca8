/* SPDX-License-Identifier: MIT */
/* .3dmap files (D. Brewer, N. Sturtevant, "Benchmarks for pathfinding in 3D
 * voxel space", SoCS 2018): the extents, then the blocked cells. */
#include "world/maps/formats.h"

static enum status read_grid(struct map_file *file, struct grid *grid,
                             struct error *error)
{
    struct map_line line, rest;
    int64_t extents[GRID_AXES];
    map_file_line(file, &line);
    if (!map_line_starts(&line, "voxel", &rest) ||
        !map_line_numbers(&rest, GRID_AXES, extents))
        return map_file_error(file, error,
                              "`%.*s`: the first line must be `voxel X Y Z`, "
                              "three whole numbers",
                              MAP_LINE_SHOWN(line));
    return map_grid(3, extents, file->path, file->line, grid, error);
}

static enum status read_cells(struct map_file *file,
                              const struct legend *legend,
                              struct terrain *terrain, struct error *error)
{
    const struct grid *grid = &terrain->grid;
    struct map_line line;
    while (map_file_line(file, &line)) {
        int64_t at[GRID_AXES];
        if (map_line_is_blank(&line))
            continue;
        if (!map_line_numbers(&line, GRID_AXES, at))
            return map_file_error(file, error,
                                  "`%.*s`: a blocked cell is three whole "
                                  "numbers x y z",
                                  MAP_LINE_SHOWN(line));
        if (at[0] < 0 || at[0] >= grid->nx || at[1] < 0 || at[1] >= grid->ny ||
            at[2] < 0 || at[2] >= grid->nz)
            return map_file_error(file, error,
                                  "cell `%.*s` lies outside the %d x %d x %d "
                                  "cells, which count from 0",
                                  MAP_LINE_SHOWN(line), grid->nx, grid->ny,
                                  grid->nz);
        terrain->wall[grid_index(grid, (int)at[0], (int)at[1], (int)at[2])] = 1;
    }
    return STATUS_OK;
}

const struct map_format map_voxel = { ".3dmap", read_grid, read_cells };
