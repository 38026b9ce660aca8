/* SPDX-License-Identifier: MIT */
/* How far it was from each agent's start to the target's. */
#include "compare_reading.h"

#include "search/exact.h"
#include "search/fast_marching.h"

#include <math.h>

static size_t start_cell(const struct reading *reading, size_t agent,
                         const struct grid *grid)
{
    double at[GRID_AXES] = { 0 };
    for (int axis = 0; axis < grid->dims; axis++)
        at[axis] = reading->start[axis][agent];
    return grid_nearest(grid, at);
}

static double or_none(double way)
{
    return isfinite(way) ? way : NAN;
}

static enum status measure_exactly(struct reading *reading,
                                   const struct terrain *terrain, size_t target,
                                   struct error *error)
{
    struct exact *exact;
    enum status status = exact_new(terrain, &exact, error);
    if (status)
        return status;
    exact_solve(exact, target);
    for (size_t i = 0; i < reading->agents; i++)
        reading->outcome[i].geodesic = or_none(
            exact_distance(exact, start_cell(reading, i, &terrain->grid)));
    exact_release(exact);
    return STATUS_OK;
}

/* The terrain has walls alone, so the time is a length. */
static enum status measure_by_marching(struct reading *reading,
                                       const struct terrain *terrain,
                                       size_t target, struct error *error)
{
    struct fast_marching *marching;
    enum status status =
        fast_marching_new(terrain, &fast_marching_fine, &marching, error);
    if (status)
        return status;
    fast_marching_solve(marching, target, SIZE_MAX);
    for (size_t i = 0; i < reading->agents; i++)
        reading->outcome[i].marched = or_none(fast_marching_time(
            marching, start_cell(reading, i, &terrain->grid)));
    fast_marching_release(marching);
    return STATUS_OK;
}

enum status reading_ways(struct reading *reading, const struct terrain *terrain,
                         struct error *error)
{
    if (!reading->has_target)
        return STATUS_OK;
    size_t target = grid_nearest(&terrain->grid, reading->target);
    return terrain->grid.dims == 2
               ? measure_exactly(reading, terrain, target, error)
               : measure_by_marching(reading, terrain, target, error);
}
