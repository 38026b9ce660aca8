/* SPDX-License-Identifier: MIT */
#include "truth.h"

#include "base/memory.h"

#include <math.h>

static bool counts(const struct truth *truth, size_t cell)
{
    return isfinite(truth->distance[cell]) &&
           truth->distance[cell] > TRUTH_NEAR &&
           !exact_near_corner(truth->exact, cell, TRUTH_CORNER) &&
           !exact_on_cut(truth->exact, cell, TRUTH_CUT);
}

static void take_cell(struct truth *truth, const struct grid *grid, size_t cell)
{
    double next[2];
    int at[GRID_AXES];
    truth->distance[cell] = exact_distance(truth->exact, cell);
    truth->reachable +=
        isfinite(truth->distance[cell]) && truth->distance[cell] > TRUTH_NEAR;
    if (!counts(truth, cell) || !exact_next(truth->exact, cell, next))
        return;
    grid_cell(grid, cell, at);
    double x = next[0] - at[0], y = next[1] - at[1];
    truth->toward[cell][0] = x / hypot(x, y);
    truth->toward[cell][1] = y / hypot(x, y);
    truth->counted++;
}

enum status truth_make(struct truth *truth, const struct terrain *terrain,
                       size_t source, struct error *error)
{
    *truth = (struct truth){ 0 };
    enum status status = exact_new(terrain, &truth->exact, error);
    if (status)
        return status;
    size_t cells = grid_cells(&terrain->grid);
    truth->distance = memory_new(cells, sizeof *truth->distance);
    truth->toward = memory_new(cells, sizeof *truth->toward);
    if (!truth->distance || !truth->toward)
        return error_memory(error);
    exact_solve(truth->exact, source);
    for (size_t i = 0; i < cells; i++)
        take_cell(truth, &terrain->grid, i);
    return STATUS_OK;
}

void truth_release(struct truth *truth)
{
    exact_release(truth->exact);
    memory_release(truth->distance);
    memory_release(truth->toward);
    *truth = (struct truth){ 0 };
}
