/* SPDX-License-Identifier: MIT */
#include "geodesic.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* How far a vertex stands off its corner, so that no piece touches a wall. */
#define STAND_OFF 1e-4

static bool wall_at(const struct terrain *terrain, int x, int y)
{
    if (!grid_holds(&terrain->grid, x, y, 0))
        return true;
    return terrain->wall[grid_index(&terrain->grid, x, y, 0)];
}

static double hypotenuse(const double a[2], const double b[2])
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

/* Cell by cell along the piece (Amanatides and Woo 1987). */
bool geodesic_sees(const struct terrain *terrain, const double from[2],
                   const double to[2])
{
    int cell[2], end[2], step[2];
    double next[2], each[2];
    for (int axis = 0; axis < 2; axis++) {
        double move = to[axis] - from[axis];
        cell[axis] = (int)floor(from[axis] + .5);
        end[axis] = (int)floor(to[axis] + .5);
        step[axis] = move < 0 ? -1 : 1;
        each[axis] = move == 0 ? INFINITY : fabs(1 / move);
        double edge = cell[axis] + .5 * step[axis];
        next[axis] = move == 0 ? INFINITY : (edge - from[axis]) / move;
    }
    int left = abs(end[0] - cell[0]) + abs(end[1] - cell[1]);
    for (; !wall_at(terrain, cell[0], cell[1]); left--) {
        if (left == 0)
            return true;
        int axis = next[0] < next[1] ? 0 : 1;
        cell[axis] += step[axis];
        next[axis] += each[axis];
    }
    return false;
}

/* A corner of exactly one wall cell, inside the map. */
static bool convex_corner(const struct terrain *terrain, int x, int y,
                          double at[2])
{
    int walls = 0;
    for (int i = 0; i < 4; i++) {
        int dx = i & 1, dy = i >> 1;
        if (!grid_holds(&terrain->grid, x + dx, y + dy, 0))
            return false;
        if (!wall_at(terrain, x + dx, y + dy))
            continue;
        walls++;
        at[0] = x + .5 + STAND_OFF * (dx ? -1 : 1);
        at[1] = y + .5 + STAND_OFF * (dy ? -1 : 1);
    }
    return walls == 1;
}

static void find_corners(struct geodesic *geodesic)
{
    const struct grid *grid = &geodesic->terrain->grid;
    for (int y = 0; y + 1 < grid->ny; y++)
        for (int x = 0; x + 1 < grid->nx; x++)
            if (convex_corner(geodesic->terrain, x, y,
                              geodesic->corner[geodesic->corners]))
                geodesic->corners++;
}

/* Dijkstra over the corners, every pair that see each other joined. */
static void measure(struct geodesic *geodesic, bool *settled)
{
    for (;;) {
        size_t nearest = geodesic->corners;
        for (size_t i = 0; i < geodesic->corners; i++)
            if (!settled[i] && !isinf(geodesic->length[i]) &&
                (nearest == geodesic->corners ||
                 geodesic->length[i] < geodesic->length[nearest]))
                nearest = i;
        if (nearest == geodesic->corners)
            return;
        settled[nearest] = true;
        const double *from = geodesic->corner[nearest];
        for (size_t i = 0; i < geodesic->corners; i++) {
            double length = geodesic->length[nearest] +
                            hypotenuse(from, geodesic->corner[i]);
            if (length < geodesic->length[i] &&
                geodesic_sees(geodesic->terrain, from, geodesic->corner[i]))
                geodesic->length[i] = length;
        }
    }
}

bool geodesic_new(struct geodesic *geodesic, const struct terrain *terrain,
                  size_t source)
{
    size_t most = grid_cells(&terrain->grid) + 1;
    *geodesic = (struct geodesic){
        .terrain = terrain,
        .corner = memory_new(most, sizeof *geodesic->corner),
        .length = memory_new(most, sizeof *geodesic->length),
        .corners = 1,
    };
    bool *settled = memory_new(most, sizeof *settled);
    bool made = geodesic->corner && geodesic->length && settled;
    if (made) {
        int cell[GRID_AXES];
        grid_cell(&terrain->grid, source, cell);
        geodesic->corner[0][0] = cell[0];
        geodesic->corner[0][1] = cell[1];
        find_corners(geodesic);
        for (size_t i = 1; i < geodesic->corners; i++)
            geodesic->length[i] = INFINITY;
        measure(geodesic, settled);
    } else {
        geodesic_release(geodesic);
    }
    memory_release(settled);
    return made;
}

void geodesic_release(struct geodesic *geodesic)
{
    memory_release(geodesic->corner);
    memory_release(geodesic->length);
    *geodesic = (struct geodesic){ 0 };
}

double geodesic_path(const struct geodesic *geodesic, const double at[2],
                     double next[2])
{
    double best = INFINITY;
    for (size_t i = 0; i < geodesic->corners; i++) {
        double length =
            geodesic->length[i] + hypotenuse(at, geodesic->corner[i]);
        if (length < best &&
            geodesic_sees(geodesic->terrain, at, geodesic->corner[i])) {
            best = length;
            next[0] = geodesic->corner[i][0];
            next[1] = geodesic->corner[i][1];
        }
    }
    return best;
}
