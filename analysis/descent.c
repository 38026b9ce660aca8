/* SPDX-License-Identifier: MIT */
#include "descent.h"

#include <math.h>
#include <string.h>

/* Positions are in subcells here: cell borders at whole multiples of `refine`,
 * subcell borders at whole numbers. */
struct descent {
    const struct fast_marching *marching;
    const struct terrain *terrain;
    int refine;
    double at[2];
    int cell[2]; /* the subcell that `at` lies in, or on the border of */
};

static void place_of(const struct descent *d, const double at[2],
                     double place[GRID_AXES])
{
    place[0] = at[0] / d->refine - 0.5;
    place[1] = at[1] / d->refine - 0.5;
    place[2] = 0;
}

/* −∇T of a subcell; false in walls, outside, and where there is none. */
static bool heading_of(const struct descent *d, const int cell[2],
                       double heading[GRID_AXES])
{
    const struct grid *grid = &d->terrain->grid;
    if (cell[0] < 0 || cell[1] < 0 || cell[0] >= d->refine * grid->nx ||
        cell[1] >= d->refine * grid->ny)
        return false;
    double middle[2] = { cell[0] + 0.5, cell[1] + 0.5 }, place[GRID_AXES];
    place_of(d, middle, place);
    return fast_marching_heading(d->marching, place, heading);
}

static double speed_of(const struct descent *d, const int cell[2])
{
    return d->terrain->speed
               ? d->terrain
                     ->speed[grid_index(&d->terrain->grid, cell[0] / d->refine,
                                        cell[1] / d->refine, 0)]
               : 1;
}

/* How far `way` leads along an axis until the subcell's border. */
static double to_border(const struct descent *d, int axis, double way)
{
    if (way == 0)
        return INFINITY;
    double left = d->cell[axis] + (way > 0) - d->at[axis];
    return fmax(left / way, 0);
}

/* To the border that comes first; returns its axis, −1 where `way` is 0. */
static int move(struct descent *d, const double way[2])
{
    double x = to_border(d, 0, way[0]), y = to_border(d, 1, way[1]);
    int axis = x <= y ? 0 : 1;
    if (isinf(fmin(x, y)))
        return -1;
    d->at[1 - axis] += fmin(x, y) * way[1 - axis];
    d->at[axis] = d->cell[axis] + (way[axis] > 0); /* exactly */
    return axis;
}

/* Along the border that `at` lies on, across `axis`, the way that the faster
 * of the two subcells leads (both, where they are alike), to its end. */
static bool slide(struct descent *d, int axis, const int beyond[2],
                  const double here[2], const double there[2])
{
    double sum = here[1 - axis];
    if (there && speed_of(d, beyond) == speed_of(d, d->cell))
        sum += there[1 - axis];
    else if (there && speed_of(d, beyond) > speed_of(d, d->cell)) {
        sum = there[1 - axis];
        d->cell[axis] = beyond[axis];
    }
    if (sum == 0)
        return false;
    int way = sum > 0 ? 1 : -1;
    d->at[1 - axis] = d->cell[1 - axis] + (way > 0);
    d->cell[1 - axis] += way;
    double unused[GRID_AXES];
    if (heading_of(d, d->cell, unused))
        return true;
    d->cell[1 - axis] -= way; /* a wall ahead: on along the other side */
    return false;
}

/* Through a subcell and over its border, or along one; false where the path
 * ends. */
static bool go_on(struct descent *d)
{
    double here[GRID_AXES], there[GRID_AXES];
    if (!heading_of(d, d->cell, here))
        return false;
    int axis = move(d, here);
    if (axis < 0)
        return false;
    int beyond[2] = { d->cell[0], d->cell[1] };
    beyond[axis] += here[axis] > 0 ? 1 : -1;
    bool open = heading_of(d, beyond, there);
    if (!open || there[axis] * here[axis] < 0)
        return slide(d, axis, beyond, here, open ? there : NULL);
    memcpy(d->cell, beyond, sizeof beyond);
    return true;
}

enum status descent_follow(const struct fast_marching *marching,
                           const struct terrain *terrain, int refine,
                           const double start[2], const double source[2],
                           struct polyline *path, bool *arrived,
                           struct error *error)
{
    struct descent d = { marching, terrain, refine, { 0 }, { 0 } };
    for (int axis = 0; axis < 2; axis++) {
        d.at[axis] = (start[axis] + 0.5) * refine;
        d.cell[axis] = (int)floor(d.at[axis]);
    }
    enum status status = polyline_add(path, start, error);
    *arrived = false;
    /* No subcell is passed often. */
    size_t most = 8 * (size_t)(refine * refine) * grid_cells(&terrain->grid);
    for (size_t i = 0; i < most && !status; i++) {
        double place[GRID_AXES];
        place_of(&d, d.at, place);
        if (hypot(place[0] - source[0], place[1] - source[1]) <= 1) {
            *arrived = true;
            return polyline_add(path, source, error);
        }
        if (!go_on(&d))
            break;
        place_of(&d, d.at, place);
        status = polyline_add(path, place, error);
    }
    return status;
}
