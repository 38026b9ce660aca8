/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include "pursuit/motion.h"
#include "search/sight.h"

#include <math.h>

#define TRACE_STEP 0.25
#define TRACE_NEAR 3

enum status trace_follow(const struct terrain *terrain,
                         const double (*heading)[2], const double start[2],
                         const double source[2], double geodesic,
                         struct polyline *path, bool *arrived,
                         struct error *error)
{
    double at[GRID_AXES] = { start[0], start[1], 0 };
    const double end[GRID_AXES] = { source[0], source[1], 0 };
    enum status status = polyline_add(path, at, error);
    *arrived = false;
    for (double tried = 0; tried <= 4 * geodesic + 40 && !status;
         tried += TRACE_STEP) {
        if (hypot(at[0] - end[0], at[1] - end[1]) <= TRACE_NEAR &&
            search_in_sight(terrain, at, end)) {
            *arrived = true;
            return polyline_add(path, end, error);
        }
        const double *there = heading[grid_nearest(&terrain->grid, at)];
        const double step[GRID_AXES] = { there[0], there[1], 0 };
        if ((step[0] == 0 && step[1] == 0) ||
            !motion_step(terrain, at, step, TRACE_STEP))
            return STATUS_OK;
        status = polyline_add(path, at, error);
    }
    return status;
}
