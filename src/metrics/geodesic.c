/* SPDX-License-Identifier: MIT */
#include "metrics/geodesic.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>

enum status geodesic_init(struct geodesic *geodesic,
                          const struct recording *recording, int64_t step,
                          struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    *geodesic = (struct geodesic){ .grid = *grid, .source = SIZE_MAX };
    geodesic->wall = need_memory(grid_cells(grid), 1);
    enum status status = recording_read_terrain(
        recording, "wall", recording_version_at(recording, step),
        geodesic->wall, error);
    if (status)
        return status;
    struct terrain terrain = { .grid = *grid, .wall = geodesic->wall };
    if (grid->dims == 2)
        return exact_new(&terrain, &geodesic->exact, error);
    return fast_marching_fits(grid, &fast_marching_fine)
               ? fast_marching_new(&terrain, &fast_marching_fine,
                                   &geodesic->marching, error)
               : STATUS_OK;
}

void geodesic_release(struct geodesic *geodesic)
{
    exact_release(geodesic->exact);
    fast_marching_release(geodesic->marching);
    memory_release(geodesic->wall);
    *geodesic = (struct geodesic){ 0 };
}

void geodesic_solve(struct geodesic *geodesic, size_t source)
{
    if (geodesic->source == source)
        return;
    geodesic->source = source;
    if (geodesic->exact)
        exact_solve(geodesic->exact, source);
    else if (geodesic->marching)
        fast_marching_solve(geodesic->marching, source, SIZE_MAX);
}

double geodesic_distance(const struct geodesic *geodesic, size_t cell)
{
    return geodesic->exact      ? exact_distance(geodesic->exact, cell)
           : geodesic->marching ? fast_marching_time(geodesic->marching, cell)
                                : (double)NAN;
}

bool geodesic_direction(const struct geodesic *geodesic,
                        const double at[GRID_AXES], double direction[GRID_AXES])
{
    if (geodesic->marching)
        return fast_marching_heading(geodesic->marching, at, direction);
    double next[2];
    if (!geodesic->exact)
        return false;
    size_t cell = grid_nearest(&geodesic->grid, at);
    if (!exact_next(geodesic->exact, cell, next))
        return false;
    direction[0] = next[0] - at[0];
    direction[1] = next[1] - at[1];
    direction[2] = 0;
    return direction[0] != 0 || direction[1] != 0;
}
