/* SPDX-License-Identifier: MIT */
#include "pursuit/motion.h"

#include <math.h>

/* ---- cells ---- */

/* The one or two cells along an axis nearest to a position on it: the lower and
 * the upper one, or the same twice. */
static void nearest_two(double at, int extent, int two[2])
{
    double lower = ceil(at - .5), upper = floor(at + .5);
    two[0] = lower > 0 ? (int)fmin(lower, extent - 1) : 0;
    two[1] = upper > 0 ? (int)fmin(upper, extent - 1) : 0;
}

static size_t cell_leaning(const struct grid *grid, const uint8_t *wall,
                           const double at[GRID_AXES],
                           const double lean[GRID_AXES])
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    int choice[GRID_AXES][2]; /* the preferred one first */
    size_t preferred = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int two[2];
        nearest_two(at[axis], extent[axis], two);
        choice[axis][0] = two[!(lean[axis] < 0)];
        choice[axis][1] = two[lean[axis] < 0];
    }
    for (int i = 0; i < 8; i++) {
        size_t cell = grid_index(grid, choice[0][i & 1], choice[1][i >> 1 & 1],
                                 choice[2][i >> 2]);
        if (!wall[cell])
            return cell;
        preferred = i ? preferred : cell;
    }
    return preferred;
}

size_t motion_cell_leaning(const struct terrain *terrain,
                           const double at[GRID_AXES],
                           const double lean[GRID_AXES])
{
    return cell_leaning(&terrain->grid, terrain->wall, at, lean);
}

size_t motion_cell_after(const struct terrain *terrain,
                         const double at[GRID_AXES], size_t own)
{
    int place[GRID_AXES];
    double lean[GRID_AXES];
    grid_cell(&terrain->grid, own, place);
    for (int axis = 0; axis < GRID_AXES; axis++)
        lean[axis] = place[axis] - at[axis];
    return motion_cell_leaning(terrain, at, lean);
}

bool motion_touches_free(const struct grid *grid, const uint8_t *wall,
                         const double at[GRID_AXES])
{
    const double lean[GRID_AXES] = { 0 };
    return !wall[cell_leaning(grid, wall, at, lean)];
}

/* ---- a step along a heading ---- */

/* The axes by descending magnitude of the heading; equal ones keep x, y, z. */
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
        end[axis] = at[axis] + motion_round(speed * heading[axis]);
    if (!motion_is_free_in(held, share, end))
        return motion_step_aside(held, share, at, heading, speed);
    memcpy(at, end, sizeof end);
    return true;
}

static bool cell_is_free(const struct terrain *terrain, int cell)
{
    return cell >= 0 && !terrain->wall[cell];
}

/* The single components of a blocked step in two dimensions, without a branch:
 * many agents slide along walls, and a branch predictor cannot predict which
 * direction is free. False: an end point may be on the border of cells, which
 * this does not handle. */
static bool step_aside_flat(const struct terrain *terrain, double at[GRID_AXES],
                            const double heading[GRID_AXES], double speed,
                            bool *moved)
{
    const double end[][GRID_AXES] = {
        { at[0], at[1] },
        { at[0] + motion_round(speed * heading[0]), at[1] },
        { at[0], at[1] + motion_round(speed * heading[1]) },
    };
    if ((int)motion_is_half(end[1][0]) | motion_is_half(end[1][1]) |
        motion_is_half(end[2][0]) | motion_is_half(end[2][1]))
        return false;
    bool x_free = (heading[0] != 0) &
                  cell_is_free(terrain, motion_cell(&terrain->grid, end[1]));
    bool y_free = (heading[1] != 0) &
                  cell_is_free(terrain, motion_cell(&terrain->grid, end[2]));
    bool y_first = fabs(heading[1]) > fabs(heading[0]);
    bool go_x = x_free & !(y_first & y_free), go_y = y_free & !go_x;
    int choice = go_x + 2 * go_y;
    at[0] = end[choice][0];
    at[1] = end[choice][1];
    *moved = choice;
    return true;
}

bool motion_step_aside(const struct terrain *terrain, const struct share *share,
                       double at[GRID_AXES], const double heading[GRID_AXES],
                       double speed)
{
    bool moved;
    if (!share && terrain->grid.dims == 2 &&
        step_aside_flat(terrain, at, heading, speed, &moved))
        return moved;
    int order[GRID_AXES] = { 0, 1, 2 }; /* remains if a component is not a
                                         * number */
    order_axes(heading, order);
    for (int try = 0; try < GRID_AXES && heading[order[try]] != 0; try++) {
        double *along = &at[order[try]], before = *along;
        *along += motion_round(speed * heading[order[try]]);
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

/* ---- straight paths ---- */

void leg_begin(struct leg *leg, const double at[GRID_AXES])
{
    memcpy(leg->from, at, sizeof leg->from);
    leg->gone = 0;
}

void leg_look(const struct leg *leg, const double goal[GRID_AXES],
              double distance, double at[GRID_AXES])
{
    double length = motion_distance(leg->from, goal);
    double gone = leg->gone + distance;
    bool there = gone >= length - MOTION_NEAR;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double part = (goal[axis] - leg->from[axis]) * (gone / length);
        at[axis] = there ? goal[axis] : leg->from[axis] + motion_round(part);
    }
}

double leg_go(struct leg *leg, const double goal[GRID_AXES], double distance,
              double at[GRID_AXES])
{
    double length = motion_distance(leg->from, goal);
    if (length == 0) {
        memcpy(at, goal, sizeof leg->from);
        return distance;
    }
    leg_look(leg, goal, distance, at);
    leg->gone += distance;
    double left = leg->gone - length;
    if (left < -MOTION_NEAR)
        return 0;
    leg_begin(leg, goal);
    return left > MOTION_NEAR ? left : 0;
}

void leg_state(struct leg *leg, const struct grid *grid, struct state *state)
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < GRID_AXES; axis++)
        state_visit_place(state, &leg->from[axis], 1, extent[axis]);
    state_visit_reals(state, &leg->gone, 1, 0, 2.0 * MOTION_CELLS_MOST);
}
