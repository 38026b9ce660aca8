/* SPDX-License-Identifier: MIT */
/* The map of bench/arrival_time and bench/front_time, whose figures are printed
 * side by side: one cell in ten a wall, a square or a cube, the source in its
 * middle. */
#ifndef HAMON_BENCH_EMISSION_MAP_H
#define HAMON_BENCH_EMISSION_MAP_H

#include "base/random.h"
#include "wave/wave.h"

static enum status emission_map(int side, bool solid, struct terrain *terrain,
                                size_t *source, struct error *error)
{
    struct grid grid;
    struct random random;
    enum status status =
        grid_make(solid ? 3 : 2, side, side, solid ? side : 1, &grid, error);
    if (status == STATUS_OK)
        status = terrain_init(terrain, &grid, error);
    if (status != STATUS_OK)
        return status;
    random_seed(&random, 1);
    for (size_t i = 0; i < grid_cells(&grid); i++)
        terrain->wall[i] = random_unit(&random) < .1;
    *source = grid_index(&grid, side / 2, side / 2, solid ? side / 2 : 0);
    terrain->wall[*source] = 0;
    return STATUS_OK;
}

#endif
