/* SPDX-License-Identifier: MIT */
#include "pursuit/motion.h"

#include <math.h>

/* The axes by falling magnitude of the heading; equal ones keep x, y, z. */
static void order_axes(const double heading[GRID_AXES], int order[GRID_AXES])
{
    double x = fabs(heading[0]), y = fabs(heading[1]), z = fabs(heading[2]);
    order[(y > x) + (z > x)] = 0;
    order[(x >= y) + (z > y)] = 1;
    order[(x >= z) + (y >= z)] = 2;
}

static bool is_free(const struct terrain *terrain, const struct share *share,
                    const double at[GRID_AXES])
{
    return share ? motion_is_free_in(terrain, share, at)
                 : motion_is_free(terrain, at);
}

bool motion_step_shared(const struct terrain *held, const struct share *share,
                        double at[GRID_AXES], const double heading[GRID_AXES],
                        double speed)
{
    double end[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        end[axis] = at[axis] + speed * heading[axis];
    if (!motion_is_free_in(held, share, end))
        return motion_step_aside(held, share, at, heading, speed);
    memcpy(at, end, sizeof end);
    return true;
}

/* The same in two dimensions without a branch: crowds slide along walls, and
 * which way is free is nothing that a processor can guess. */
static bool step_aside_flat(const struct terrain *terrain, double at[GRID_AXES],
                            const double heading[GRID_AXES], double speed)
{
    const double end[][GRID_AXES] = {
        { at[0], at[1] },
        { at[0] + speed * heading[0], at[1] },
        { at[0], at[1] + speed * heading[1] },
    };
    bool x_free = (heading[0] != 0) & motion_is_free(terrain, end[1]);
    bool y_free = (heading[1] != 0) & motion_is_free(terrain, end[2]);
    bool y_first = fabs(heading[1]) > fabs(heading[0]);
    bool go_x = x_free & !(y_first & y_free), go_y = y_free & !go_x;
    int choice = go_x + 2 * go_y;
    at[0] = end[choice][0];
    at[1] = end[choice][1];
    return choice;
}

bool motion_step_aside(const struct terrain *terrain, const struct share *share,
                       double at[GRID_AXES], const double heading[GRID_AXES],
                       double speed)
{
    if (!share && terrain->grid.dims == 2)
        return step_aside_flat(terrain, at, heading, speed);
    int order[GRID_AXES] = { 0, 1, 2 }; /* kept by what is no number */
    order_axes(heading, order);
    for (int try = 0; try < GRID_AXES && heading[order[try]] != 0; try++) {
        double *along = &at[order[try]], before = *along;
        *along += speed * heading[order[try]];
        if (is_free(terrain, share, at))
            return true;
        *along = before;
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
