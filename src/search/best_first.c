/* SPDX-License-Identifier: MIT */
/* Dijkstra (1959) and A* (Hart, Nilsson, Raphael 1968) as one loop over a
 * bucket queue, and a faster loop for Dijkstra on even terrain.
 *
 * For Dijkstra a bucket is no wider than the lightest move. No cell of the
 * lowest bucket can then improve another cell of it, and any order within a
 * bucket is correct (Denardo and Fox 1979). For A* the keys are f = g + h, a
 * move may add 0 to f, and a cell may be taken before its g is minimal; it is
 * queued again when it improves. In both, cells whose f is not below the goal's
 * f need not be taken, and the search ends when all cells below it are. */
#include "base/memory.h"
#include "search/bucket_queue.h"
#include "search/search.h"
#include "search/trace.h"

#include <math.h>

/* Above every cost, and far from overflow when a weight is added. */
static const int64_t cost_none = INT64_MAX / 2;

/* Costs of a query are base + g, and each query's base is lower than the last
 * one's by more than any g. So values left by earlier queries are larger than
 * any of this one, and mean that a cell is not reached.
 *
 * On even terrain the memory of the nodes contains `costs` and then `lists`. */
struct best_first {
    struct bucket_queue queue;
    struct bucket_node *nodes; /* padded */
    int64_t *costs;            /* padded; NULL: in the nodes */
    int32_t *lists;
    int64_t base;
    int64_t range; /* of the last query */
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

/* ---- Dijkstra on even terrain ----
 *
 * All cells have the same cost, and every move weighs between one and two
 * bucket widths (1, √2 and √3 do). Moves from bucket b then lead only to b + 1
 * and b + 2, so that:
 *
 *   - three buckets are in use at a time. Each is a plain list that is read
 *     from its start, so the next cells are known and can be prefetched;
 *   - a cell is listed again only when it moves to an earlier bucket, from b +
 * 2 to b + 1. Its entry in b + 2 then costs less than that bucket's start, and
 *     is skipped;
 *   - no cell is in both b and b + 2. These two share room for every cell once,
 *     and grow from its two ends.
 *
 * Each move reads only the costs: 8 bytes a cell. A queue from which cells are
 * removed also needs links: 16 bytes. Without this loop a whole chase by
 * Dijkstra on a map of 257 x 256 cells takes 1.5 times as long. */

/* Does every move weigh between one and two bucket widths? */
static bool is_even(const struct passages *p)
{
    return !p->cost && p->highest >> bucket_queue_shift(p->lowest[1]) < 2;
}

enum { LISTS = 4, AHEAD = 8 };

struct even {
    const struct passages *passages;
    int64_t *costs;
    int64_t base;
    int shift;
    int32_t *begin[LISTS], *end[LISTS]; /* of bucket b: list b % 4 */
    uint64_t expansions, generated;
};

static inline int direction(int list)
{
    return list < 2 ? 1 : -1;
}

static inline int64_t bucket_of(const struct even *even, int64_t cost)
{
    return (cost - even->base) >> even->shift;
}

static inline void list_cell(struct even *even, int64_t bucket, int32_t cell)
{
    int list = bucket % LISTS;
    *even->end[list] = cell;
    even->end[list] += direction(list);
}

static inline void even_relax(struct even *even, int32_t n, int64_t cost)
{
    int64_t before = even->costs[n];
    if (cost >= before)
        return;
    even->costs[n] = cost;
    int64_t bucket = bucket_of(even, cost);
    if (bucket != bucket_of(even, before))
        list_cell(even, bucket, n);
}

/* `moves` is a compile-time constant if it is 4 or 8. If all of them are open,
 * as on a free field, the loop over them is unrolled. */
static inline void even_expand(struct even *even, int32_t at, int moves)
{
    const struct passages *p = even->passages;
    int64_t cost = even->costs[at];
    uint32_t open = p->open[at];
    if (open == (UINT32_C(1) << moves) - 1)
        for (int d = 0; d < moves; d++)
            even_relax(even, at + p->offset[d], cost + p->weight[d]);
    else
        for (; open; open &= open - 1) {
            int d = __builtin_ctz(open);
            even_relax(even, at + p->offset[d], cost + p->weight[d]);
        }
}

static inline void ask_ahead(const struct even *even, int32_t cell)
{
    int32_t pitch = even->passages->pitch;
    __builtin_prefetch(&even->passages->open[cell]);
    __builtin_prefetch(&even->costs[cell - pitch], 1);
    __builtin_prefetch(&even->costs[cell], 1);
    __builtin_prefetch(&even->costs[cell + pitch], 1);
}

/* Takes the cells of a bucket that cost less than *most, the goal's cost, which
 * may still become lower. */
static inline void even_take(struct even *even, int64_t bucket,
                             const int64_t *most, bool ties, int moves)
{
    int list = bucket % LISTS, step = direction(list);
    const int32_t *end = even->end[list];
    int64_t low = even->base + (bucket << even->shift);
    even->generated += (uint64_t)((end - even->begin[list]) * step);
    for (const int32_t *next = even->begin[list]; next != end; next += step) {
        bool more = (end - next) * step > AHEAD;
        ask_ahead(even, more ? next[AHEAD * step] : *next);
        int64_t cost = even->costs[*next];
        if (cost < low || cost - ties >= *most)
            continue;
        even->expansions++;
        even_expand(even, *next, moves);
    }
    even->end[list] = even->begin[list];
}

static inline void even_spread(struct even *even, int32_t to, bool ties,
                               int moves)
{
    const int64_t none = INT64_MAX, *most = to < 0 ? &none : &even->costs[to];
    int64_t bucket = 0;
    for (int empty = 0; empty < 2; bucket++) {
        int list = bucket % LISTS;
        empty = even->end[list] == even->begin[list] ? empty + 1 : 0;
        if (bucket_of(even, *most) < bucket)
            return;
        even_take(even, bucket, most, ties, moves);
    }
}

/* Dijkstra from `from`; to < 0: everywhere, else until all cells that cost less
 * than the goal are taken, with `ties` also those that cost the same.
 * state->base is set. Fills the counters of the result. */
static void dijkstra_even(const struct passages *p, struct best_first *state,
                          int32_t from, int32_t to, bool ties,
                          struct search_result *result)
{
    int32_t *upper = state->lists + p->cells;
    struct even even = { .passages = p,
                         .costs = state->costs,
                         .base = state->base,
                         .shift = bucket_queue_shift(p->lowest[1]),
                         .begin = { state->lists, upper, upper - 1,
                                    upper + p->cells - 1 } };
    for (int list = 0; list < LISTS; list++)
        even.end[list] = even.begin[list];
    even.costs[from] = even.base;
    list_cell(&even, 0, from);
    if (p->moves == 4)
        even_spread(&even, to, ties, 4);
    else if (p->moves == 8)
        even_spread(&even, to, ties, 8);
    else
        even_spread(&even, to, ties, p->moves);
    for (int list = 0; list < LISTS; list++)
        even.generated +=
            (uint64_t)((even.end[list] - even.begin[list]) * direction(list));
    result->expansions = even.expansions;
    result->generated = even.generated;
}

/* ---- the loop over the bucket queue ---- */

/* One query, as the loop sees it. */
struct course {
    const struct passages *passages;
    struct best_first *state;
    int32_t from, to; /* to < 0: everywhere */
    int goal[GRID_AXES];
    bool ties; /* also take the cells with the goal's own f */
    uint64_t expansions, generated;
};

static inline int64_t bound(const struct course *course, int32_t cell)
{
    int from[GRID_AXES];
    passages_apart(course->passages, cell, course->goal, from);
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
    course->generated++;
}

static inline void expand(struct course *course, int32_t at, bool directed,
                          bool costed)
{
    const struct passages *p = course->passages;
    const struct bucket_node *nodes = course->state->nodes;
    int64_t cost = nodes[at].cost;
    int from[GRID_AXES] = { 0 };
    if (directed)
        passages_apart(course->passages, at, course->goal, from);
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
    improve(course, course->from, state->base, first);
    if (directed)
        p->cost ? advance(course, true, true) : advance(course, true, false);
    else
        p->cost ? advance(course, false, true) : advance(course, false, false);
}

/* ---- the entries of the table of searches ---- */

static bool precedes(const struct search_workspace *w, int32_t from, int d,
                     int32_t to)
{
    const struct best_first *state = w->state;
    return *cost_at(state, from) + passages_weight(w->passages, d, to) ==
           *cost_at(state, to);
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
    bool even = !directed && is_even(p);
    rebase(state, p, even);
    if (query->to != SEARCH_EVERYWHERE) {
        course.to = passages_index(p, query->to);
        grid_cell(&p->grid, query->to, course.goal);
    }
    if (even) {
        dijkstra_even(p, state, course.from, course.to, course.ties, result);
    } else {
        search_queued(&course, directed && course.to >= 0);
        result->expansions = course.expansions;
        result->generated = course.generated;
    }
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
