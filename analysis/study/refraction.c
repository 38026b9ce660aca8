/* SPDX-License-Identifier: MIT */
#include "analysis/study/refraction.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The path as points so many cells apart. */
static const double spacing = .05;
enum { CHORD = REFRACTION_REACH * 20 }; /* points of a chord */

static struct polyline dense(const struct polyline *path)
{
    struct polyline line = { 0 };
    for (size_t i = 0; i + 1 < path->count; i++) {
        const double *from = path->points[i], *to = path->points[i + 1];
        const double length = polyline_distance(from, to);
        const int parts = (int)ceil(length / spacing);
        for (int k = 0; k < parts; k++) {
            double at[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++)
                at[axis] = from[axis] + k * (to[axis] - from[axis]) / parts;
            polyline_add(&line, at);
        }
    }
    return line;
}

/* Of a free cell; 0 of a wall and outside the map. */
static double speed_of(const struct terrain *terrain, const int cell[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    const int size[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (cell[axis] < 0 || cell[axis] >= size[axis])
            return 0;
    const size_t index = grid_index(grid, cell[0], cell[1], cell[2]);
    return terrain->wall[index] ? 0
           : terrain->speed     ? terrain->speed[index]
                                : 1;
}

static void cell_of(const double at[GRID_AXES], int cell[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        cell[axis] = (int)floor(at[axis] + .5);
}

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* The axis along which the cells are neighbours; −1: none. */
static int normal_of(const int a[GRID_AXES], const int b[GRID_AXES])
{
    int normal = -1, moves = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (a[axis] != b[axis]) {
            moves += abs(a[axis] - b[axis]);
            normal = axis;
        }
    return moves == 1 ? normal : -1;
}

/* Do the cells beside these two, along the other axes, have their speeds? */
static bool is_straight(const struct terrain *terrain, const int a[GRID_AXES],
                        const int b[GRID_AXES], int normal)
{
    for (int axis = 0; axis < terrain->grid.dims; axis++)
        for (int far = -REFRACTION_REACH;
             axis != normal && far <= REFRACTION_REACH; far++) {
            int beside[2][GRID_AXES];
            memcpy(beside[0], a, sizeof beside[0]);
            memcpy(beside[1], b, sizeof beside[1]);
            beside[0][axis] += far;
            beside[1][axis] += far;
            if (!same(speed_of(terrain, beside[0]), speed_of(terrain, a)) ||
                !same(speed_of(terrain, beside[1]), speed_of(terrain, b)))
                return false;
        }
    return true;
}

/* The speed at these points of the path; 0 if they have several. */
static double speed_along(const struct terrain *terrain,
                          const struct polyline *line, size_t first,
                          size_t last)
{
    double speed = 0;
    for (size_t i = first; i <= last; i++) {
        int cell[GRID_AXES];
        cell_of(line->points[i], cell);
        const double here = speed_of(terrain, cell);
        if (i > first && !same(here, speed))
            return 0;
        speed = here;
    }
    return speed;
}

static double angle_of(const struct polyline *line, size_t from, size_t to,
                       int normal)
{
    const double length =
        polyline_distance(line->points[from], line->points[to]);
    const double along =
        fabs(line->points[to][normal] - line->points[from][normal]);
    return acos(fmin(1, along / length)) * 180 / acos(-1);
}

/* Between the points i and i + 1. */
static bool find(const struct polyline *line, size_t i,
                 const struct terrain *terrain, struct refraction *found)
{
    int a[GRID_AXES], b[GRID_AXES];
    cell_of(line->points[i], a);
    cell_of(line->points[i + 1], b);
    const int normal = normal_of(a, b);
    if (normal < 0 || same(speed_of(terrain, a), speed_of(terrain, b)) ||
        i < CHORD || i + 1 + CHORD >= line->count)
        return false;
    const double before = speed_along(terrain, line, i - CHORD, i);
    const double beyond = speed_along(terrain, line, i + 1, i + 1 + CHORD);
    if (before <= 0 || beyond <= 0 || !is_straight(terrain, a, b, normal))
        return false;
    const double angles[2] = {
        angle_of(line, i - CHORD, i, normal),
        angle_of(line, i + 1, i + 1 + CHORD, normal),
    };
    const bool slows = beyond < before;
    *found = (struct refraction){
        .fast = fmax(before, beyond),
        .slow = fmin(before, beyond),
        .fast_angle = angles[!slows],
        .slow_angle = angles[slows],
    };
    memcpy(found->at, line->points[i], sizeof found->at);
    found->law = asin(found->slow / found->fast *
                      sin(found->fast_angle * acos(-1) / 180)) *
                 180 / acos(-1);
    return true;
}

void refraction_add(const struct polyline *path, const struct terrain *terrain,
                    struct refraction **found, size_t *count, size_t *room)
{
    struct polyline line = dense(path);
    for (size_t i = 0; i + 1 < line.count; i++) {
        struct refraction here;
        if (!find(&line, i, terrain, &here))
            continue;
        *found = need_more(*found, *count, room, sizeof **found);
        (*found)[(*count)++] = here;
    }
    polyline_release(&line);
}
