/* SPDX-License-Identifier: MIT */
#include "search/downhill.h"

#include <math.h>
#include <string.h>

enum { PATIENCE = 32 }; /* steps within which T must fall */

struct walk {
    const struct fast_marching *marching;
    const struct terrain *terrain;
    int refine;
    double at[GRID_AXES];
    int cell[GRID_AXES]; /* that contains `at`, or has it on its border */
    double time;         /* so far */
    double level;        /* T here */
};

static int32_t index_of(const struct walk *w, const int cell[GRID_AXES])
{
    return (int32_t)grid_index(&w->terrain->grid, cell[0], cell[1], cell[2]);
}

static bool is_free(const struct walk *w, const int cell[GRID_AXES])
{
    return grid_holds(&w->terrain->grid, cell[0], cell[1], cell[2]) &&
           !w->terrain->wall[index_of(w, cell)];
}

/* A point in the cell's outermost subcells, next to `at`. */
static void inside(const struct walk *w, const int cell[GRID_AXES],
                   double point[GRID_AXES])
{
    double half = 0.5 - 0.25 / w->refine;
    for (int axis = 0; axis < GRID_AXES; axis++)
        point[axis] =
            fmin(fmax(w->at[axis], cell[axis] - half), cell[axis] + half);
}

static double level_of(const struct walk *w)
{
    double point[GRID_AXES];
    inside(w, w->cell, point);
    return fast_marching_time_at(w->marching, point);
}

static bool heading_of(const struct walk *w, const int cell[GRID_AXES],
                       double heading[GRID_AXES])
{
    double point[GRID_AXES];
    inside(w, cell, point);
    return fast_marching_heading(w->marching, point, heading);
}

/* The distance to the cell's border along an axis. */
static double left_along(const struct walk *w, int axis, double heading)
{
    return heading > 0 ? w->cell[axis] + 0.5 - w->at[axis]
                       : w->at[axis] - (w->cell[axis] - 0.5);
}

/* At the cell's border on an axis. True: crosses it. False, and the heading
 * runs along the border: the cell beyond is a wall, or it leads back and is not
 * faster. */
static bool meet_border(struct walk *w, int axis, double heading[GRID_AXES])
{
    int beyond[GRID_AXES];
    double there[GRID_AXES];
    memcpy(beyond, w->cell, sizeof beyond);
    beyond[axis] += heading[axis] > 0 ? 1 : -1;
    bool open = is_free(w, beyond) && heading_of(w, beyond, there);
    bool back = open && there[axis] * heading[axis] < 0;
    if (!open ||
        (back && sleeve_slowness(w->terrain, index_of(w, beyond)) >=
                     sleeve_slowness(w->terrain, index_of(w, w->cell)))) {
        heading[axis] = 0;
        return false;
    }
    memcpy(w->cell, beyond, sizeof beyond);
    return true;
}

/* One step; false if there is no direction. */
static bool step(struct walk *w)
{
    double heading[GRID_AXES], length = 0, share;
    int last = -1;
    if (!heading_of(w, w->cell, heading))
        return false;
    for (int axis = 0; axis < grid_axes(&w->terrain->grid); axis++)
        if (heading[axis] != 0 && left_along(w, axis, heading[axis]) <= 0 &&
            meet_border(w, axis, heading))
            return true;
    for (int axis = 0; axis < grid_axes(&w->terrain->grid); axis++)
        length += heading[axis] * heading[axis];
    length = sqrt(length);
    if (length == 0)
        return false;
    share = 0.5 / w->refine / length;
    for (int axis = 0; axis < grid_axes(&w->terrain->grid); axis++) {
        double left = left_along(w, axis, heading[axis]);
        if (heading[axis] != 0 && share * fabs(heading[axis]) >= left) {
            share = left / fabs(heading[axis]);
            last = axis;
        }
    }
    for (int axis = 0; axis < grid_axes(&w->terrain->grid); axis++)
        w->at[axis] += share * heading[axis];
    if (last >= 0)
        w->at[last] = w->cell[last] + (heading[last] > 0 ? 0.5 : -0.5);
    w->time +=
        share * length * sleeve_slowness(w->terrain, index_of(w, w->cell));
    return true;
}

/* Steps to the centre of the neighbouring subcell of the lowest T; false if all
 * have a higher one. */
static bool descend(struct walk *w)
{
    double centre[GRID_AXES], side = 1.0 / w->refine;
    struct walk best = *w;
    inside(w, w->cell, centre);
    for (int axis = 0; axis < grid_axes(&w->terrain->grid); axis++)
        centre[axis] =
            (floor((centre[axis] + 0.5) * w->refine) + 0.5) * side - 0.5;
    for (int d = 0; d < 2 * grid_axes(&w->terrain->grid); d++) {
        struct walk next = *w;
        double length = 0;
        for (int axis = 0; axis < grid_axes(&w->terrain->grid); axis++) {
            next.at[axis] = centre[axis] + side * direction_step[d][axis];
            next.cell[axis] = (int)floor(next.at[axis] + 0.5);
            length +=
                (next.at[axis] - w->at[axis]) * (next.at[axis] - w->at[axis]);
        }
        if (!is_free(&next, next.cell))
            continue;
        next.level = level_of(&next);
        next.time += sqrt(length) *
                     fmax(sleeve_slowness(w->terrain, index_of(w, w->cell)),
                          sleeve_slowness(w->terrain, index_of(w, next.cell)));
        if (next.level < best.level)
            best = next;
    }
    bool lower = best.level < w->level;
    *w = best;
    return lower;
}

enum status downhill(const struct fast_marching *marching, int refine,
                     const double from[GRID_AXES], int32_t cell, size_t source,
                     struct sleeve *sleeve, double *time, struct error *error)
{
    struct walk w = { .marching = marching,
                      .terrain = sleeve->terrain,
                      .refine = refine };
    double end[GRID_AXES], length = 0;
    memcpy(w.at, from, sizeof w.at);
    grid_cell(&w.terrain->grid, (size_t)cell, w.cell);
    w.level = level_of(&w);
    struct walk lowest = w;
    *time = INFINITY;
    enum status status = sleeve_add(sleeve, cell, error);
    size_t kept = sleeve->count; /* number of cells at the lowest T so far */
    for (int idle = 0; index_of(&w, w.cell) != (int32_t)source && !status;) {
        bool moved = idle < PATIENCE && step(&w);
        if (!moved) {
            w = lowest;
            sleeve->count = kept;
            if (!descend(&w))
                return STATUS_OK;
        }
        status = sleeve_add(sleeve, index_of(&w, w.cell), error);
        w.level = level_of(&w);
        idle++;
        if (w.level < lowest.level) {
            lowest = w;
            kept = sleeve->count;
            idle = 0;
        }
    }
    for (int axis = 0; axis < GRID_AXES; axis++) {
        end[axis] = w.cell[axis] - w.at[axis];
        length +=
            axis < grid_axes(&w.terrain->grid) ? end[axis] * end[axis] : 0;
    }
    *time = w.time + sqrt(length) * sleeve_slowness(w.terrain, (int32_t)source);
    return status;
}
