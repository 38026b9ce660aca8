/* SPDX-License-Identifier: MIT */
#include "pursuit/motion.h"

#include <math.h>
#include <string.h>

/* The axes by falling magnitude of the heading; equal ones keep x, y, z. */
static void order_axes(const double heading[GRID_AXES], int order[GRID_AXES])
{
    for (int i = 0; i < GRID_AXES; i++) {
        int place = i;
        for (; place > 0 && fabs(heading[i]) > fabs(heading[order[place - 1]]);
             place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

bool motion_step_aside(const struct terrain *terrain, double at[GRID_AXES],
                       const double heading[GRID_AXES], double speed)
{
    int order[GRID_AXES];
    order_axes(heading, order);
    for (int try = 0; try < GRID_AXES && heading[order[try]] != 0; try++) {
        double end[GRID_AXES];
        memcpy(end, at, sizeof end);
        end[order[try]] += speed * heading[order[try]];
        if (!motion_is_free(terrain, end))
            continue;
        memcpy(at, end, sizeof end);
        return true;
    }
    return false;
}

double motion_distance(const double a[GRID_AXES], const double b[GRID_AXES])
{
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sqrt(square);
}
