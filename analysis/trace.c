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

/* Goes one step on; false where there is no heading. */
static bool go_on(const struct terrain *terrain, const double (*heading)[2],
                  double at[GRID_AXES])
{
    const double *way = heading[grid_nearest(&terrain->grid, at)];
    if (way[0] == 0 && way[1] == 0)
        return false;
    walk(terrain, way, at);
    return true;
}

static bool is_home(const struct terrain *terrain, const double at[GRID_AXES],
                    const double home[GRID_AXES])
{
    return hypot(at[0] - home[0], at[1] - home[1]) <= TRACE_HOME &&
           search_in_sight(terrain, at, home);
}

enum status trace_follow(const struct terrain *terrain,
                         const double (*heading)[2], const double start[2],
                         const double source[2], double distance,
                         struct polyline *path, bool *arrived,
                         struct error *error)
{
    double at[GRID_AXES] = { start[0], start[1], 0 };
    const double home[GRID_AXES] = { source[0], source[1], 0 };
    enum status status = polyline_add(path, at, error);
    *arrived = false;
    for (double tried = 0; tried <= 4 * distance + 40 && !status;
         tried += TRACE_STEP) {
        *arrived = is_home(terrain, at, home);
        if (*arrived)
            return polyline_add(path, home, error);
        if (!go_on(terrain, heading, at))
            break;
        status = polyline_add(path, at, error);
    }
    return status;
}

double trace_length(const struct terrain *terrain, const double (*heading)[2],
                    size_t source, const double start[2], double distance)
{
    int place[GRID_AXES];
    grid_cell(&terrain->grid, source, place);
    const double home[GRID_AXES] = { place[0], place[1], 0 };
    double at[GRID_AXES] = { start[0], start[1], 0 }, length = 0;
    for (double tried = 0; tried <= 4 * distance + 40; tried += TRACE_STEP) {
        if (is_home(terrain, at, home))
            return length + hypot(at[0] - home[0], at[1] - home[1]);
        double before[2] = { at[0], at[1] };
        if (!go_on(terrain, heading, at))
            return -1;
        length += hypot(at[0] - before[0], at[1] - before[1]);
    }
    return -1;
}
