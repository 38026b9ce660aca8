/* SPDX-License-Identifier: MIT */
#include "view/density.h"

#include "base/memory.h"
#include "base/real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pairs of agent and cell that were counted, + 1; 0: an empty slot. */
struct pairs {
    uint64_t *slot;
    size_t room, used; /* room: a power of two */
};

struct density {
    const struct recording *recording;
    const struct variable *place[GRID_AXES]; /* NULL: z in 2D */
    struct grid grid;
    size_t agents;
    int64_t row;               /* that was read last; −1: none */
    double *before[GRID_AXES]; /* (agents): positions of that row */
    double *now[GRID_AXES];
    int32_t *count; /* (nz, ny, nx) */
    struct pairs pairs;
    double *cuts; /* of one step of an agent, where its path changes cells */
    size_t cut_room;
};

enum { PAIRS_FIRST = 1024 };

/* Shorter parts of a step are due to rounding: of a path through a corner. */
static const double part_least = 1e-9;

void density_release(struct density *density)
{
    if (!density)
        return;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        memory_release(density->before[axis]);
        memory_release(density->now[axis]);
    }
    memory_release(density->count);
    memory_release(density->pairs.slot);
    memory_release(density->cuts);
    memory_release(density);
}

enum status density_new(const struct recording *recording,
                        struct density **density, struct error *error)
{
    static const char *const names[] = { "agents/x", "agents/y", "agents/z" };
    struct density *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->recording = recording;
    made->grid = *recording_grid(recording);
    made->row = -1;
    bool good = true;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const struct variable *variable =
            recording_find(recording, names[axis]);
        made->place[axis] = variable;
        if (axis == 0)
            made->agents = variable ? variable_elements(variable) : 0;
        if (variable && variable_elements(variable) < made->agents)
            made->agents = variable_elements(variable);
    }
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const struct variable *variable = made->place[axis];
        size_t room = variable ? variable_elements(variable) : made->agents;
        made->before[axis] = memory_new(room, sizeof(double));
        made->now[axis] = memory_new(room, sizeof(double));
        good = good && made->before[axis] && made->now[axis];
    }
    made->count = memory_new(grid_cells(&made->grid), sizeof *made->count);
    made->pairs.room = PAIRS_FIRST;
    made->pairs.slot = memory_new(PAIRS_FIRST, sizeof *made->pairs.slot);
    if (!good || !made->count || !made->pairs.slot) {
        density_release(made);
        return error_memory(error);
    }
    *density = made;
    return STATUS_OK;
}

/* ---- pairs ---- */

/* The pair's slot, or the empty one for it. */
static uint64_t *find_slot(const struct pairs *pairs, uint64_t pair)
{
    size_t at = (size_t)((pair * UINT64_C(0x9e3779b97f4a7c15)) >> 20);
    while (pairs->slot[at & (pairs->room - 1)] &&
           pairs->slot[at & (pairs->room - 1)] != pair)
        at++;
    return &pairs->slot[at & (pairs->room - 1)];
}

/* Twice the room. */
static bool pairs_grow(struct pairs *pairs)
{
    struct pairs more = { .room = 2 * pairs->room, .used = pairs->used };
    more.slot = memory_new(more.room, sizeof *more.slot);
    if (!more.slot)
        return false;
    for (size_t i = 0; i < pairs->room; i++)
        if (pairs->slot[i])
            *find_slot(&more, pairs->slot[i]) = pairs->slot[i];
    memory_release(pairs->slot);
    *pairs = more;
    return true;
}

/* Counts the agent in the cell, if it was not yet. */
static bool count_in(struct density *density, size_t agent, size_t cell)
{
    struct pairs *pairs = &density->pairs;
    uint64_t pair = (uint64_t)agent * grid_cells(&density->grid) + cell + 1;
    if (2 * pairs->used >= pairs->room && !pairs_grow(pairs))
        return false;
    uint64_t *slot = find_slot(pairs, pair);
    if (*slot)
        return true;
    *slot = pair;
    pairs->used++;
    density->count[cell]++;
    return true;
}

/* ---- paths ---- */

static bool add_cut(struct density *density, size_t *cuts, double at)
{
    double *more =
        memory_more(density->cuts, *cuts, &density->cut_room, sizeof *more);
    if (!more)
        return false;
    density->cuts = more;
    more[(*cuts)++] = at;
    return true;
}

/* The parts 0 … 1 of the step at which it changes cells along an axis. */
static bool cut_axis(struct density *density, size_t *cuts, double from,
                     double to)
{
    double low = from < to ? from : to, high = from < to ? to : from;
    for (double side = floor(low + .5) + .5; side < high; side++)
        if (!add_cut(density, cuts, (side - from) / (to - from)))
            return false;
    return true;
}

/* The cell that the middle of two parts of the step is in. */
static size_t cell_between(const struct density *density, const double from[],
                           const double to[], double first, double last)
{
    const int extent[] = { density->grid.nx, density->grid.ny,
                           density->grid.nz };
    double part = (first + last) / 2;
    int at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double place = floor(from[axis] + part * (to[axis] - from[axis]) + .5);
        double most = extent[axis] - 1;
        at[axis] = (int)(place < 0 ? 0 : place > most ? most : place);
    }
    return grid_index(&density->grid, at[0], at[1], at[2]);
}

static bool walk(struct density *density, size_t agent)
{
    double from[GRID_AXES] = { 0 }, to[GRID_AXES] = { 0 };
    size_t cuts = 0;
    bool moved = false, good = true;
    for (int axis = 0; axis < GRID_AXES && density->place[axis]; axis++) {
        from[axis] = density->before[axis][agent];
        to[axis] = density->now[axis][agent];
        moved = moved || from[axis] < to[axis] || from[axis] > to[axis];
    }
    good = add_cut(density, &cuts, 0) && add_cut(density, &cuts, 1);
    for (int axis = 0; axis < GRID_AXES && good && moved; axis++)
        good = cut_axis(density, &cuts, from[axis], to[axis]);
    if (!moved || !good)
        return good;
    qsort(density->cuts, cuts, sizeof *density->cuts, real_compare);
    for (size_t i = 1; i < cuts && good; i++)
        if (density->cuts[i] - density->cuts[i - 1] > part_least)
            good =
                count_in(density, agent,
                         cell_between(density, from, to, density->cuts[i - 1],
                                      density->cuts[i]));
    return good;
}

/* A damaged file may have any positions. */
static bool in_map(const struct density *density)
{
    const int extent[] = { density->grid.nx, density->grid.ny,
                           density->grid.nz };
    for (int axis = 0; axis < GRID_AXES && density->place[axis]; axis++)
        for (size_t i = 0; i < density->agents; i++)
            if (!(density->now[axis][i] > -1 &&
                  density->now[axis][i] < extent[axis]))
                return false;
    return true;
}

static enum status read_row(struct density *density, int64_t row,
                            struct error *error)
{
    enum status status = STATUS_OK;
    for (int axis = 0; axis < GRID_AXES && !status; axis++) {
        double *before = density->before[axis];
        density->before[axis] = density->now[axis];
        density->now[axis] = before;
        if (density->place[axis])
            status =
                recording_read_real(density->recording, density->place[axis],
                                    row, density->now[axis], error);
    }
    if (!status && !in_map(density))
        status = error_set(error, STATUS_INPUT,
                           "%s: agents: row %lld has a place outside the map",
                           recording_path(density->recording), (long long)row);
    return status;
}

enum status density_go_to(struct density *density, int64_t row,
                          struct error *error)
{
    enum status status = STATUS_OK;
    if (row < density->row) {
        memset(density->count, 0,
               grid_cells(&density->grid) * sizeof *density->count);
        memset(density->pairs.slot, 0,
               density->pairs.room * sizeof *density->pairs.slot);
        density->pairs.used = 0;
        density->row = -1;
    }
    while (density->row < row && !status) {
        status = read_row(density, density->row + 1, error);
        for (size_t i = 0; i < density->agents && density->row >= 0 && !status;
             i++)
            if (!walk(density, i))
                status = error_memory(error);
        density->row++;
    }
    if (status)
        density->row = INT64_MAX; /* the next call begins again */
    return status;
}

int32_t density_at(const struct density *density, size_t cell)
{
    return density->count[cell];
}
