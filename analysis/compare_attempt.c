/* SPDX-License-Identifier: MIT */
#include "compare_attempt.h"

#include "base/memory.h"
#include "search/relay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct attempt_method attempt_methods[] = {
    { .name = "lee" }, /* the fewest moves */
    { .name = "dijkstra", .promise = PROMISE_OPTIMUM },
    { .name = "astar", .promise = PROMISE_OPTIMUM },
    { .name = "fast-marching" },
    { .name = "fast-marching-fine", .spare = true, .any_angle = true },
    { .name = "dstar-lite", .promise = PROMISE_OPTIMUM },
    { .name = "exact",
      .flat = true,
      .any_angle = true,
      .promise = PROMISE_AT_MOST },
    { .name = "relay", .flat = true, .spare = true },
    { 0 },
};

const struct attempt_method *attempt_method_find(const char *name)
{
    for (const struct attempt_method *m = attempt_methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

struct attempter {
    const struct attempt_method *method;
    const struct terrain *terrain;
    struct passages *passages;
    struct search_workspace *workspace; /* NULL: relay */
};

enum status attempter_new(const struct attempt_method *method,
                          const struct terrain *terrain,
                          struct attempter **attempter, struct error *error)
{
    const struct search *search = search_find(method->name);
    int dims = terrain->grid.dims, moves = dims == 2 ? 8 : 26;
    struct attempter *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *made = (struct attempter){ .method = method, .terrain = terrain };
    enum status status = passages_new(terrain, search ? moves : 2 * dims,
                                      MEASURE_LENGTH, &made->passages, error);
    if (!status && search)
        status = search_workspace_new(search, made->passages, terrain,
                                      &made->workspace, error);
    if (status)
        attempter_release(made);
    else
        *attempter = made;
    return status;
}

void attempter_release(struct attempter *attempter)
{
    if (!attempter)
        return;
    search_workspace_release(attempter->workspace);
    passages_release(attempter->passages);
    memory_release(attempter);
}

size_t attempter_memory(const struct attempter *attempter)
{
    return attempter->workspace ? attempter->workspace->memory
                                : sizeof(struct relay_walker);
}

/* How often a path of neighbouring cells goes on by another move. */
static double turns_of(const struct grid *grid, const int32_t *path,
                       size_t count)
{
    int at[GRID_AXES], next[GRID_AXES], step[GRID_AXES], turns = 0;
    for (size_t i = 0; i < count; i++) {
        grid_cell(grid, (size_t)path[i], next);
        for (int axis = 0; i > 0 && axis < GRID_AXES; axis++)
            at[axis] = next[axis] - at[axis];
        turns += i > 1 && memcmp(at, step, sizeof step) != 0;
        if (i > 0)
            memcpy(step, at, sizeof step);
        memcpy(at, next, sizeof at);
    }
    return turns;
}

static size_t cell_of(const struct grid *grid, const int at[GRID_AXES])
{
    return grid_index(grid, at[0], at[1], at[2]);
}

static void try_search(struct attempter *attempter,
                       const struct problem *problem, struct attempt *attempt)
{
    const struct grid *grid = &attempter->terrain->grid;
    struct search_query query = { cell_of(grid, problem->start),
                                  cell_of(grid, problem->goal), NULL };
    struct search_result result;
    search_run(attempter->workspace, &query, &result);
    *attempt = (struct attempt){
        .outcome = result.outcome,
        .length = result.length,
        .expansions = (double)result.expansions,
        .turns = attempter->method->any_angle
                     ? NAN
                     : turns_of(grid, result.path, result.path_count),
        .nanoseconds = result.nanoseconds,
    };
}

/* A walk from node to node; each leg is straight. */
static void try_relay(struct attempter *attempter,
                      const struct problem *problem, struct attempt *attempt)
{
    const uint8_t *wall = attempter->terrain->wall;
    const struct grid *grid = &attempter->terrain->grid;
    struct relay_counters counters = { 0 };
    struct relay_walker walker;
    struct relay_node at = { problem->start[0], problem->start[1] }, to;
    enum relay_step step = RELAY_FAILED;
    bool along_x = false;
    *attempt = (struct attempt){ .outcome = SEARCH_UNREACHABLE,
                                 .length = INFINITY,
                                 .expansions = NAN };
    if (wall[cell_of(grid, problem->start)])
        attempt->outcome = SEARCH_START_BLOCKED;
    else if (wall[cell_of(grid, problem->goal)])
        attempt->outcome = SEARCH_GOAL_BLOCKED;
    if (attempt->outcome != SEARCH_UNREACHABLE)
        return;
    double length = 0;
    relay_walker_start(
        &walker, at, (struct relay_node){ problem->goal[0], problem->goal[1] });
    while ((step = relay_walker_next(&walker, attempter->passages,
                                     &relay_defaults, &counters, &to)) <
           RELAY_ARRIVED) {
        attempt->turns += length > 0 && along_x != (to.y == at.y);
        along_x = to.y == at.y;
        length += abs(to.x - at.x) + abs(to.y - at.y);
        at = to;
    }
    attempt->nanoseconds = counters.nanoseconds;
    if (step == RELAY_ARRIVED) {
        attempt->outcome = SEARCH_FOUND;
        attempt->length = length;
    }
}

void attempter_try(struct attempter *attempter, const struct problem *problem,
                   struct attempt *attempt)
{
    if (attempter->workspace)
        try_search(attempter, problem, attempt);
    else
        try_relay(attempter, problem, attempt);
}
