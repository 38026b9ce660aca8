/* SPDX-License-Identifier: MIT */
#include "search/exact_state.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---- the heap of corners ---- */

static void heap_set(struct exact *e, int32_t place, int32_t point)
{
    e->heap[place] = point;
    e->corners[point].place = place;
}

static void heap_rise(struct exact *e, int32_t point)
{
    int32_t at = e->corners[point].place;
    double distance = e->corners[point].distance;
    for (; at > 1 && e->corners[e->heap[at / 2]].distance > distance; at /= 2)
        heap_set(e, at, e->heap[at / 2]);
    heap_set(e, at, point);
}

void exact_queue_corner(struct exact *e, int32_t point)
{
    if (e->corners[point].place == 0)
        e->corners[point].place = ++e->heap_count;
    heap_rise(e, point);
}

static int32_t heap_take(struct exact *e)
{
    int32_t top = e->heap[1], moved = e->heap[e->heap_count--];
    int32_t at = 1, below;
    double distance = e->corners[moved].distance;
    e->corners[top].place = 0;
    if (top == moved)
        return top;
    while ((below = 2 * at) <= e->heap_count) {
        if (below < e->heap_count && e->corners[e->heap[below + 1]].distance <
                                         e->corners[e->heap[below]].distance)
            below++;
        if (e->corners[e->heap[below]].distance >= distance)
            break;
        heap_set(e, at, e->heap[below]);
        at = below;
    }
    heap_set(e, at, moved);
    return top;
}

/* ---- solving and asking ---- */

static void forget(struct exact *e)
{
    size_t cells = grid_cells(&e->grid), points = lattice_points(&e->lattice);
    for (size_t i = 0; i < cells; i++)
        e->cells[i] =
            (struct cell_state){ INFINITY, INFINITY, NO_POINT, NO_POINT };
    for (size_t i = 0; i < points; i++)
        e->corners[i] = (struct corner_state){ INFINITY, NO_POINT, 0 };
    e->heap_count = 0;
    e->expansions = 0;
}

bool exact_solve(struct exact *e, size_t source)
{
    int at[GRID_AXES];
    forget(e);
    if (source >= grid_cells(&e->grid))
        return false;
    grid_cell(&e->grid, source, at);
    if (e->lattice.wall[lattice_cell(&e->lattice, at[0], at[1])])
        return false;
    e->source_x = at[0];
    e->source_y = at[1];
    exact_expand_source(e);
    while (e->heap_count > 0)
        exact_expand_corner(e, heap_take(e));
    return true;
}

double exact_distance(const struct exact *e, size_t cell)
{
    return e->cells[cell].distance;
}

/* (x, y) of a root, in cells. */
static void point_of(const struct exact *e, int32_t root, double point[2])
{
    int64_t at[2];
    place_of(e, root, at);
    point[0] = 0.5 * (double)at[0];
    point[1] = 0.5 * (double)at[1];
}

bool exact_next(const struct exact *e, size_t cell, double next[2])
{
    const struct cell_state *state = &e->cells[cell];
    if (state->next == NO_POINT || state->distance == 0)
        return false;
    point_of(e, state->next, next);
    return true;
}

bool exact_beyond(const struct exact *e, double turn[2])
{
    if (turn[0] == e->source_x && turn[1] == e->source_y)
        return false;
    int32_t point =
        lattice_point(&e->lattice, (int)(turn[0] + 0.5), (int)(turn[1] + 0.5));
    point_of(e, e->corners[point].parent, turn);
    return true;
}

bool exact_near_corner(const struct exact *e, size_t cell, double radius)
{
    const struct cell_state *state = &e->cells[cell];
    if (state->next < 0)
        return false;
    return state->distance - e->corners[state->next].distance <= radius;
}

bool exact_on_cut(const struct exact *e, size_t cell, double tolerance)
{
    const struct cell_state *state = &e->cells[cell];
    if (state->second_next == NO_POINT ||
        state->second > state->distance + tolerance)
        return false;
    int at[GRID_AXES];
    int64_t one[2], two[2];
    grid_cell(&e->grid, cell, at);
    place_of(e, state->next, one);
    place_of(e, state->second_next, two);
    for (int axis = 0; axis < 2; axis++) {
        one[axis] -= 2 * (int64_t)at[axis];
        two[axis] -= 2 * (int64_t)at[axis];
    }
    /* Two corners on one line of sight are one heading. */
    return one[0] * two[1] != one[1] * two[0] ||
           one[0] * two[0] + one[1] * two[1] < 0;
}

size_t exact_path(const struct exact *e, size_t cell, double (*points)[2],
                  size_t most_points)
{
    int at[GRID_AXES];
    if (e->cells[cell].next == NO_POINT)
        return 0;
    grid_cell(&e->grid, cell, at);
    double point[2] = { at[0], at[1] };
    size_t count = 0;
    bool more = true;
    while (more) {
        if (points && count < most_points)
            memcpy(points[count], point, sizeof point);
        more = count++ ? exact_beyond(e, point) : exact_next(e, cell, point);
    }
    return count;
}

size_t exact_expansions(const struct exact *e)
{
    return e->expansions;
}

size_t exact_memory(const struct exact *e)
{
    size_t cones = 2 * ((size_t)e->grid.nx + 2) * sizeof *e->now;
    return sizeof *e + lattice_memory(&e->lattice) + cones +
           lattice_points(&e->lattice) *
               (sizeof *e->corners + sizeof *e->heap) +
           grid_cells(&e->grid) * sizeof *e->cells;
}

enum status exact_new(const struct terrain *terrain, struct exact **exact,
                      struct error *error)
{
    const struct grid *grid = &terrain->grid;
    if (grid->dims != 2)
        return error_set(error, STATUS_INPUT,
                         "exact shortest paths are for maps of 2 axes, not %d: "
                         "in 3D use fast-marching-fine",
                         grid->dims);
    struct exact *e = memory_new(1, sizeof *e);
    if (!e)
        return error_memory(error);
    e->grid = *grid;
    enum status status = lattice_init(&e->lattice, grid, error);
    if (!status) {
        size_t points = lattice_points(&e->lattice);
        e->corners = memory_new(points, sizeof *e->corners);
        e->heap = memory_new(points + 1, sizeof *e->heap);
        e->cells = memory_new(grid_cells(grid), sizeof *e->cells);
        e->now = memory_new((size_t)grid->nx + 2, sizeof *e->now);
        e->later = memory_new((size_t)grid->nx + 2, sizeof *e->later);
        if (!e->corners || !e->heap || !e->cells || !e->now || !e->later)
            status = error_memory(error);
    }
    if (status) {
        exact_release(e);
        return status;
    }
    exact_update(e, terrain);
    *exact = e;
    return STATUS_OK;
}

void exact_update(struct exact *e, const struct terrain *terrain)
{
    lattice_update(&e->lattice, terrain);
    forget(e);
}

void exact_release(struct exact *e)
{
    if (!e)
        return;
    lattice_release(&e->lattice);
    memory_release(e->corners);
    memory_release(e->heap);
    memory_release(e->cells);
    memory_release(e->now);
    memory_release(e->later);
    memory_release(e);
}
