/* SPDX-License-Identifier: MIT */
/* Dijkstra (1959) and A* (Hart, Nilsson, Raphael 1968) as one loop over a
 * bucket queue.
 *
 * For Dijkstra a bucket is no wider than the lightest move, so no cell of the
 * lowest bucket can improve another of it, and any order within is right
 * (Denardo and Fox 1979). For A* the buckets hold keys f = g + h, moves can
 * add nothing to f, and a cell may be taken before its g is least; it is then
 * queued again when it improves. Either way cells at or over the goal's f
 * need not be taken, and the search ends when all under it are. Dijkstra on
 * even ground has a loop of its own, in dijkstra_even.c. */
#include "base/memory.h"
#include "search/best_first_state.h"
#include "search/rows.h"
#include "search/trace.h"

#include <math.h>

/* Over every cost, and far from overflow when a weight is added. */
static const int64_t cost_none = INT64_MAX / 2;

/* One query, as the loop sees it. */
struct course {
    const struct passages *passages;
    struct best_first *state;
    int32_t from, to; /* to < 0: everywhere */
    int goal[GRID_AXES];
    bool ties; /* cells with the goal's own f are to be taken too */
    uint64_t expansions;
};

static void release(struct search_workspace *w)
{
    struct best_first *state = w->state;
    memory_release(state->nodes);
    memory_release(state->queue.heads);
    memory_release(state);
}

static enum status prepare(struct search_workspace *w, struct error *error)
{
    size_t cells = (size_t)w->passages->cells;
    struct best_first *state = w->state = memory_new(1, sizeof *state);
    if (!state)
        return error_memory(error);
    state->nodes = memory_new(cells, sizeof *state->nodes);
    state->queue.nodes = state->nodes;
    state->queue.heads = memory_new(BUCKETS_MOST, sizeof(int32_t));
    if (!state->nodes || !state->queue.heads)
        return error_memory(error);
    w->memory += sizeof *state + cells * sizeof *state->nodes +
                 BUCKETS_MOST * sizeof(int32_t);
    return STATUS_OK;
}

static inline int64_t *cost_at(const struct best_first *state, int32_t cell)
{
    return state->costs ? &state->costs[cell] : &state->nodes[cell].cost;
}

static void rebase(struct best_first *state, const struct passages *p,
                   bool even)
{
    if (state->base < p->range || even != (state->costs != NULL)) {
        state->costs = even ? (int64_t *)state->nodes : NULL;
        state->lists = even ? (int32_t *)(state->costs + p->cells) : NULL;
        for (int32_t i = 0; i < p->cells; i++)
            *cost_at(state, i) = cost_none;
        state->base = cost_none;
    }
    state->base -= p->range;
    state->range = p->range;
}

static inline bool reached(const struct best_first *state, int32_t cell)
{
    return *cost_at(state, cell) < state->base + state->range;
}

/* Where a cell lies from the goal: its bound, and its neighbours'. */
static inline void place_from(const struct course *course, int32_t cell,
                              int from[GRID_AXES])
{
    passages_place(course->passages, cell, from);
    for (int axis = 0; axis < GRID_AXES; axis++)
        from[axis] -= course->goal[axis];
}

static inline int64_t bound(const struct course *course, int32_t cell)
{
    int from[GRID_AXES];
    place_from(course, cell, from);
    return passages_bound_apart(course->passages, from[0], from[1], from[2]);
}

/* Lowers the cost of n to `cost` and moves it in the queue. */
static inline void improve(struct course *course, int32_t n, int64_t cost,
                           int64_t key)
{
    struct best_first *state = course->state;
    struct bucket_node *node = &state->nodes[n];
    if (node->cost < state->base + state->range && node->next != n)
        bucket_queue_drop(&state->queue, n);
    node->cost = cost;
    bucket_queue_put(&state->queue, n, key);
}

static inline void expand(struct course *course, int32_t at, bool directed,
                          bool costed)
{
    const struct passages *p = course->passages;
    const struct bucket_node *nodes = course->state->nodes;
    int64_t cost = nodes[at].cost;
    int from[GRID_AXES] = { 0 };
    if (directed)
        place_from(course, at, from);
    for (uint32_t open = p->open[at]; open; open &= open - 1) {
        int d = __builtin_ctz(open);
        int32_t n = at + p->offset[d];
        int64_t next =
            cost + (costed ? passages_weight(p, d, n) : p->weight[d]);
        if (next >= nodes[n].cost)
            continue;
        const int *step = p->table[d].step;
        int64_t key = next;
        if (directed)
            key += passages_bound_apart(p, from[0] + step[0], from[1] + step[1],
                                        from[2] + step[2]);
        improve(course, n, next, key);
    }
}

static inline void advance(struct course *course, bool directed, bool costed)
{
    struct best_first *state = course->state;
    int64_t goal = INT64_MAX; /* f of the goal, once it is known */
    for (;;) {
        int32_t at = bucket_queue_take(&state->queue);
        if (at == BUCKET_NONE)
            return;
        if (course->to >= 0 && reached(state, course->to)) {
            goal = state->nodes[course->to].cost;
            if (bucket_queue_passed(&state->queue, goal))
                return;
            int64_t key = state->nodes[at].cost;
            if (directed)
                key += bound(course, at);
            if (key > goal || (key == goal && !course->ties))
                continue;
        }
        course->expansions++;
        expand(course, at, directed, costed);
    }
}

static bool precedes(const struct search_workspace *w, int32_t from, int d,
                     int32_t to)
{
    const struct best_first *state = w->state;
    return *cost_at(state, from) + passages_weight(w->passages, d, to) ==
           *cost_at(state, to);
}

/* The loop over the bucket queue; Dijkstra or A*. */
static void search_queued(struct course *course, bool directed)
{
    const struct passages *p = course->passages;
    struct best_first *state = course->state;
    int shift = bucket_queue_shift(p->lowest[1]);
    int64_t first = state->base, span = p->highest;
    if (directed) {
        first += bound(course, course->from);
        span *= 2;
        shift = bucket_queue_shift(passages_grain(p));
    }
    bucket_queue_start(&state->queue, first, span, shift);
    state->nodes[course->from].cost = state->base;
    bucket_queue_put(&state->queue, course->from, first);
    if (directed)
        p->cost ? advance(course, true, true) : advance(course, true, false);
    else
        p->cost ? advance(course, false, true) : advance(course, false, false);
}

static bool run(struct search_workspace *w, const struct search_query *query,
                struct search_result *result, bool directed)
{
    const struct passages *p = w->passages;
    struct best_first *state = w->state;
    struct course course = { .passages = p,
                             .state = state,
                             .from = passages_index(p, query->from),
                             .to = -1,
                             .ties = query->ties != NULL };
    bool even = !directed && dijkstra_is_even(p);
    rebase(state, p, even);
    if (query->to != SEARCH_EVERYWHERE) {
        course.to = passages_index(p, query->to);
        grid_cell(&p->grid, query->to, course.goal);
    }
    if (even)
        course.expansions =
            dijkstra_even(p, state, course.from, course.to, course.ties);
    else
        search_queued(&course, directed && course.to >= 0);
    result->expansions = course.expansions;
    if (course.to >= 0 && !reached(state, course.to))
        return false;
    result->cost = 0;
    if (course.to < 0)
        return true;
    result->cost = (double)(*cost_at(state, course.to) - state->base) / p->unit;
    search_trace(w, course.from, course.to, query->ties, precedes);
    return true;
}

static bool dijkstra_run(struct search_workspace *w,
                         const struct search_query *query,
                         struct search_result *result)
{
    return run(w, query, result, false);
}

static bool astar_run(struct search_workspace *w,
                      const struct search_query *query,
                      struct search_result *result)
{
    return run(w, query, result, true);
}

static double distance(const struct search_workspace *w, size_t cell)
{
    const struct best_first *state = w->state;
    int32_t at = passages_index(w->passages, cell);
    if (!reached(state, at))
        return INFINITY;
    return (double)(*cost_at(state, at) - state->base) / w->passages->unit;
}

const struct search search_dijkstra = {
    .name = "dijkstra",
    .prepare = prepare,
    .release = release,
    .run = dijkstra_run,
    .distance = distance,
};

const struct search search_astar = {
    .name = "astar",
    .prepare = prepare,
    .release = release,
    .run = astar_run,
    .distance = distance,
};
