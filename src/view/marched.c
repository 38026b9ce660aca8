/* SPDX-License-Identifier: MIT */
#include "view/marched.h"

#include "base/memory.h"
#include "search/fast_marching.h"
#include "search/sight.h"

#include <math.h>

/* Cells round the source whose times are set exactly. */
#define DISC 16.

/* Divergence of two headings that errors may cause, cells (marched_on_cut). */
#define DIVERGENCE 0.2

static const int refinements[][2] = { { 3, 5 }, { 1, 3 } };

static double dot(const double a[GRID_AXES], const double b[GRID_AXES])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void place_of(const struct marched *m, size_t cell, double at[GRID_AXES])
{
    int place[GRID_AXES];
    grid_cell(&m->terrain.grid, cell, place);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = place[axis];
}

/* ---- the two marches ---- */

/* The bounding box of the free cells: maps of ducts are mostly wall. */
static struct box free_box(const struct terrain *terrain)
{
    const struct grid *grid = &terrain->grid;
    struct box box = { .low = { grid->nx, grid->ny, grid->nz },
                       .high = { -1, -1, -1 } };
    for (size_t i = 0; i < grid_cells(grid); i++) {
        int at[GRID_AXES];
        if (terrain->wall[i])
            continue;
        grid_cell(grid, i, at);
        for (int axis = 0; axis < GRID_AXES; axis++) {
            if (at[axis] < box.low[axis])
                box.low[axis] = at[axis];
            if (at[axis] > box.high[axis])
                box.high[axis] = at[axis];
        }
    }
    return box;
}

/* Takes the times and headings of one march, without extrapolation. */
static enum status march(const struct terrain *cut, const struct box *box,
                         size_t source, int refine, struct marched *m,
                         struct error *error)
{
    const struct fast_marching_settings settings = { refine, DISC };
    struct fast_marching *marching = NULL;
    enum status status = fast_marching_new(cut, &settings, &marching, error);
    if (status)
        return status;
    fast_marching_solve(marching, source, SIZE_MAX);
    for (size_t i = 0; i < grid_cells(&cut->grid); i++) {
        int at[GRID_AXES];
        grid_cell(&cut->grid, i, at);
        size_t cell = grid_index(&m->terrain.grid, at[0] + box->low[0],
                                 at[1] + box->low[1], at[2] + box->low[2]);
        m->distance[cell] = fast_marching_time(marching, i);
        fast_marching_heading(marching, (double[]){ at[0], at[1], at[2] },
                              m->heading[cell]);
    }
    fast_marching_release(marching);
    return STATUS_OK;
}

static enum status make_room(struct marched *m, struct error *error)
{
    size_t cells = grid_cells(&m->terrain.grid);
    m->distance = memory_new(cells, sizeof *m->distance);
    m->heading = memory_new(cells, sizeof *m->heading);
    m->error = memory_new(cells, sizeof *m->error);
    if (!m->distance || !m->heading || !m->error)
        return error_memory(error);
    for (size_t i = 0; i < cells; i++)
        m->distance[i] = INFINITY;
    return STATUS_OK;
}

/* The finest grid that fits the memory. */
static enum status choose(const struct grid *cut, const int **refine,
                          struct error *error)
{
    const size_t choices = sizeof refinements / sizeof *refinements;
    double bytes = 0;
    for (size_t i = 0; i < choices; i++) {
        bytes = fast_marching_bytes(cut, refinements[i][1]);
        if (bytes < (double)SIZE_MAX && memory_allows((size_t)bytes)) {
            *refine = refinements[i];
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_INPUT,
                     "shortest paths among %d x %d x %d cells in 3D take %.1f "
                     "GB, on a grid 3 times finer; --memory allows less, or "
                     "take a smaller map",
                     cut->nx, cut->ny, cut->nz, bytes / 1e9);
}

/* ---- the extrapolation ---- */

/* The angle from a to b, accurate for small ones too. */
static double angle_between(const double a[GRID_AXES],
                            const double b[GRID_AXES])
{
    const double cross[GRID_AXES] = { a[1] * b[2] - a[2] * b[1],
                                      a[2] * b[0] - a[0] * b[2],
                                      a[0] * b[1] - a[1] * b[0] };
    return atan2(sqrt(dot(cross, cross)), dot(a, b));
}

static void go_straight(struct marched *m, size_t cell, const double to[3])
{
    double at[GRID_AXES], way[GRID_AXES];
    place_of(m, cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = to[axis] - at[axis];
    double length = sqrt(dot(way, way));
    m->distance[cell] = length;
    m->error[cell] = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        m->heading[cell][axis] = length > 0 ? way[axis] / length : 0;
}

/* `part` is c/(f − c). */
static void extrapolate(struct marched *fine, const struct marched *coarse,
                        double part, size_t cell)
{
    double way[GRID_AXES], *heading = fine->heading[cell];
    fine->distance[cell] +=
        part * (fine->distance[cell] - coarse->distance[cell]);
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = heading[axis] +
                    part * (heading[axis] - coarse->heading[cell][axis]);
    double length = sqrt(dot(way, way));
    fine->error[cell] = angle_between(heading, way);
    for (int axis = 0; axis < GRID_AXES && length > 0; axis++)
        heading[axis] = way[axis] / length;
}

static void take_best(struct marched *fine, const struct marched *coarse,
                      double part, size_t source)
{
    double home[GRID_AXES], at[GRID_AXES];
    place_of(fine, source, home);
    for (size_t i = 0; i < grid_cells(&fine->terrain.grid); i++) {
        if (!isfinite(fine->distance[i]))
            continue;
        place_of(fine, i, at);
        if (search_in_sight(&fine->terrain, at, home))
            go_straight(fine, i, home);
        else
            extrapolate(fine, coarse, part, i);
    }
}

enum status marched_make(struct marched *marched, const struct terrain *terrain,
                         size_t source, struct error *error)
{
    const struct terrain walls = { .grid = terrain->grid,
                                   .wall = terrain->wall };
    struct box box = free_box(terrain);
    struct terrain cut = { 0 };
    struct marched coarse = { .terrain = walls };
    const int *refine = NULL;
    int at[GRID_AXES];
    *marched = (struct marched){ .terrain = walls };
    enum status status = make_room(marched, error);
    if (status || terrain->wall[source])
        return status;
    grid_cell(&walls.grid, source, at);
    status = make_room(&coarse, error);
    if (!status)
        status = terrain_cut(&walls, &box, &cut, error);
    if (!status)
        status = choose(&cut.grid, &refine, error);
    size_t from = grid_index(&cut.grid, at[0] - box.low[0], at[1] - box.low[1],
                             at[2] - box.low[2]);
    if (!status)
        status = march(&cut, &box, from, refine[0], &coarse, error);
    if (!status)
        status = march(&cut, &box, from, refine[1], marched, error);
    if (!status) {
        marched->refined = refine[1];
        take_best(marched, &coarse, (double)refine[0] / (refine[1] - refine[0]),
                  source);
    }
    terrain_release(&cut);
    marched_release(&coarse);
    return status;
}

void marched_release(struct marched *marched)
{
    memory_release(marched->distance);
    memory_release(marched->heading);
    memory_release(marched->error);
    *marched = (struct marched){ 0 };
}

/* ---- edges ---- */

static bool is_wall(const struct terrain *terrain, const int at[GRID_AXES])
{
    return !grid_holds(&terrain->grid, at[0], at[1], at[2]) ||
           terrain->wall[grid_index(&terrain->grid, at[0], at[1], at[2])];
}

/* Is the edge along `axis`, on the low side of the cell `at` on both other
 * axes, one on which a path may turn? */
static bool is_edge(const struct terrain *terrain, const int at[GRID_AXES],
                    int axis)
{
    int first = (axis + 1) % GRID_AXES, second = (axis + 2) % GRID_AXES;
    int walls = 0;
    for (int corner = 0; corner < 4; corner++) {
        int cell[GRID_AXES] = { at[0], at[1], at[2] };
        cell[first] -= corner & 1;
        cell[second] -= corner >> 1;
        walls += is_wall(terrain, cell);
    }
    return walls == 1;
}

/* From `place` to the nearest point of that edge. */
static void way_to_edge(const double place[GRID_AXES], const int at[GRID_AXES],
                        int axis, double way[GRID_AXES])
{
    for (int i = 0; i < GRID_AXES; i++)
        way[i] = at[i] - .5 - place[i];
    double low = at[axis] - .5 - place[axis];
    way[axis] = fmin(fmax(0, low), low + 1);
}

bool marched_near_edge(const struct marched *m, size_t cell, double radius)
{
    double place[GRID_AXES], way[GRID_AXES];
    int reach = (int)ceil(radius) + 1, at[GRID_AXES];
    if (!(m->error[cell] > 0)) /* it sees the source */
        return false;
    place_of(m, cell, place);
    const int x = (int)place[0], y = (int)place[1], z = (int)place[2];
    for (at[2] = z - reach; at[2] <= z + reach; at[2]++)
        for (at[1] = y - reach; at[1] <= y + reach; at[1]++)
            for (at[0] = x - reach; at[0] <= x + reach; at[0]++)
                for (int axis = 0; axis < GRID_AXES; axis++) {
                    way_to_edge(place, at, axis, way);
                    if (dot(way, way) <= radius * radius &&
                        dot(way, m->heading[cell]) > 0 &&
                        is_edge(&m->terrain, at, axis))
                        return true;
                }
    return false;
}

/* ---- the cut locus ---- */

/* Does the cell `other`, at −o from here, belong to other paths, and is one of
 * them short enough from here? */
static bool parts(const struct marched *m, size_t cell, size_t other,
                  const double o[GRID_AXES], double tolerance)
{
    const double *here = m->heading[cell], *there = m->heading[other];
    return isfinite(m->distance[other]) &&
           dot(here, o) - dot(there, o) > DIVERGENCE &&
           m->distance[other] - dot(there, o) <= m->distance[cell] + tolerance;
}

bool marched_on_cut(const struct marched *m, size_t cell, double tolerance)
{
    enum { REACH = 2 };
    const struct grid *grid = &m->terrain.grid;
    double here[GRID_AXES];
    int o[GRID_AXES];
    place_of(m, cell, here);
    for (o[2] = -REACH; o[2] <= REACH; o[2]++)
        for (o[1] = -REACH; o[1] <= REACH; o[1]++)
            for (o[0] = -REACH; o[0] <= REACH; o[0]++) {
                const double way[GRID_AXES] = { o[0], o[1], o[2] };
                const double there[GRID_AXES] = { here[0] - o[0],
                                                  here[1] - o[1],
                                                  here[2] - o[2] };
                if (dot(way, way) > REACH * REACH ||
                    !grid_holds(grid, (int)there[0], (int)there[1],
                                (int)there[2]))
                    continue;
                size_t other = grid_nearest(grid, there);
                if (parts(m, cell, other, way, tolerance) &&
                    search_in_sight(&m->terrain, here, there))
                    return true;
            }
    return false;
}
