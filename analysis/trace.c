/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include "search/sight.h"

#include <math.h>

static bool step_to(const struct terrain *terrain, double at[GRID_AXES],
                    double dx, double dy)
{
    const struct grid *grid = &terrain->grid;
    double to[GRID_AXES] = { fmin(fmax(at[0] + dx, 0), grid->nx - 1),
                             fmin(fmax(at[1] + dy, 0), grid->ny - 1), 0 };
    if (terrain->wall[grid_nearest(grid, to)])
        return false;
    at[0] = to[0];
    at[1] = to[1];
    return true;
}

/* The whole step, or where it is blocked the larger component alone, then the
 * smaller, each at its own length (SCIENCE 2). */
static void walk(const struct terrain *terrain, const double heading[2],
                 double at[GRID_AXES])
{
    double dx = TRACE_STEP * heading[0], dy = TRACE_STEP * heading[1];
    if (step_to(terrain, at, dx, dy))
        return;
    bool x_first = fabs(dx) >= fabs(dy);
    if (!step_to(terrain, at, x_first ? dx : 0, x_first ? 0 : dy))
        step_to(terrain, at, x_first ? 0 : dx, x_first ? dy : 0);
}

double trace_length(const struct terrain *terrain, const double (*heading)[2],
                    size_t source, const double start[2], double distance)
{
    int place[GRID_AXES];
    grid_cell(&terrain->grid, source, place);
    const double home[GRID_AXES] = { place[0], place[1], 0 };
    double at[GRID_AXES] = { start[0], start[1], 0 }, length = 0;
    for (double tried = 0; tried <= 4 * distance + 40; tried += TRACE_STEP) {
        double left = hypot(at[0] - home[0], at[1] - home[1]);
        if (left <= TRACE_HOME && search_in_sight(terrain, at, home))
            return length + left;
        const double *way = heading[grid_nearest(&terrain->grid, at)];
        double before[2] = { at[0], at[1] };
        if (way[0] == 0 && way[1] == 0)
            return -1;
        walk(terrain, way, at);
        length += hypot(at[0] - before[0], at[1] - before[1]);
    }
    return -1;
}
