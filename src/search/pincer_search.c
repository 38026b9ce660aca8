/* SPDX-License-Identifier: MIT */
/* One search of the pincer, resumed with green and with yellow cells allowed.
 *
 * A* with a consistent bound settles a colour's cells at the costs that
 * Dijkstra would give them, all of them where no way is found, and where one
 * is, all that lie on a shortest one: the plans are those of Dijkstra's, and
 * cost less time. */
#include "search/pincer_state.h"
#include "search/trace.h"

/* In `before` of a node that is not in the queue: settled while white, green or
 * yellow was the last colour allowed, or waiting for its colour. */
enum { SETTLED = INT32_MIN, WAITING = SETTLED + PINCER_YELLOW + 1 };

/* Over every cost, and far from overflow when a weight is added. */
static const int64_t cost_none = INT64_MAX / 2;

static inline bool reached(const struct pincer *p, int32_t cell)
{
    return p->nodes[cell].cost < p->base + p->passages->range;
}

static inline bool waits(const struct pincer *p, int32_t cell)
{
    return reached(p, cell) && p->nodes[cell].before == WAITING;
}

/* ---- the bound ---- */

/* By moves along the axes it is the Manhattan distance: half of the general
 * one's work. */
static inline int64_t bound_from(const struct passages *passages,
                                 const int from[GRID_AXES], const int *step,
                                 bool straight)
{
    int dx = from[0] + step[0], dy = from[1] + step[1], dz = from[2] + step[2];
    if (!straight)
        return passages_bound_apart(passages, dx, dy, dz);
    return passages->bound[1] *
           ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy) + (dz < 0 ? -dz : dz));
}

static inline void place_from(const struct pincer *p, int32_t cell,
                              int from[GRID_AXES])
{
    passages_place(p->passages, cell, from);
    for (int axis = 0; axis < GRID_AXES; axis++)
        from[axis] -= p->goal_at[axis];
}

static inline int64_t key_of(const struct pincer *p, int32_t cell)
{
    int from[GRID_AXES];
    place_from(p, cell, from);
    return p->nodes[cell].cost +
           passages_bound_apart(p->passages, from[0], from[1], from[2]);
}

/* ---- spreading ---- */

static void wait_for(struct pincer *p, int32_t cell, int64_t cost,
                     enum pincer_color color)
{
    struct bucket_node *node = &p->nodes[cell];
    if (!reached(p, cell)) {
        p->waiting[color][p->waiting_count[color]++] = cell;
        node->before = WAITING;
    }
    node->cost = cost;
}

/* What the loop holds in registers. */
struct front {
    struct bucket_queue queue;
    int64_t limit; /* costs under it are of this search */
    int32_t settled;
    bool straight, white; /* known where the loop is compiled */
};

/* `from`: where `at` lies from the goal. */
static inline void expand(struct pincer *p, struct front *front, int32_t at,
                          const int from[GRID_AXES])
{
    const struct passages *passages = p->passages;
    struct bucket_node *nodes = p->nodes;
    int64_t cost = nodes[at].cost;
    for (uint32_t open = passages->open[at]; open; open &= open - 1) {
        int d = __builtin_ctz(open);
        int32_t n = at + passages->offset[d];
        struct bucket_node *node = &nodes[n];
        int64_t next = cost + passages_weight(passages, d, n);
        if (next >= node->cost)
            continue;
        bool known = node->cost < front->limit;
        /* Settled before the last colour was allowed: that cost stays. */
        if (!front->white && known && node->before < front->settled)
            continue;
        enum pincer_color color = pincer_color_at(p, n);
        if (color > p->allowed) {
            wait_for(p, n, next, color);
            continue;
        }
        if (known && node->before > WAITING)
            bucket_queue_drop(&front->queue, n);
        node->cost = next;
        next += bound_from(passages, from, passages->table[d].step,
                           front->straight);
        bucket_queue_put(&front->queue, n, next);
    }
}

/* Queues waiting cells whose turn has come: those no dearer than the lowest
 * bucket. They are fed as the search advances, for keys in the queue may not
 * span more than a move. */
static inline void feed(struct pincer *p, struct bucket_queue *queue)
{
    int32_t count = p->waiting_count[p->allowed];
    while (p->fed < count) {
        int32_t cell = p->waiting[p->allowed][p->fed];
        int64_t key = key_of(p, cell);
        int64_t bucket = (key - queue->first) >> queue->shift;
        if (queue->count > 0) {
            while (queue->heads[queue->cursor & queue->mask] == BUCKET_NONE)
                queue->cursor++;
            if (bucket > queue->cursor)
                return;
        }
        p->fed++;
        if (!waits(p, cell))
            continue; /* a cheaper way has queued it already */
        queue->cursor = bucket;
        bucket_queue_put(queue, cell, key);
    }
}

/* Is the goal reached? Searches on until no shorter way is left, and with
 * ties until no other of the same length is. */
static inline bool advance(struct pincer *p, bool straight, bool white)
{
    struct bucket_node *nodes = p->nodes;
    struct front front = { .queue = p->queue,
                           .limit = p->base + p->passages->range,
                           .settled = SETTLED + (int32_t)p->allowed,
                           .straight = straight,
                           .white = white };
    static const int no_step[GRID_AXES] = { 0 };
    uint64_t expansions = 0;
    for (;;) {
        int from[GRID_AXES];
        if (!white)
            feed(p, &front.queue);
        int32_t at = bucket_queue_take(&front.queue);
        if (at == BUCKET_NONE)
            break;
        nodes[at].before = front.settled;
        place_from(p, at, from);
        int64_t goal = nodes[p->goal].cost;
        if (goal < front.limit) {
            if (bucket_queue_passed(&front.queue, goal))
                break;
            int64_t key = nodes[at].cost +
                          bound_from(p->passages, from, no_step, straight);
            if (key > goal || (key == goal && !p->ties))
                continue;
        }
        expansions++;
        expand(p, &front, at, from);
    }
    p->expansions += expansions;
    p->queue = front.queue;
    return reached(p, p->goal);
}

/* Cells came to wait in the order of their keys but for one move's worth, so
 * sorting by insertion has little to do. */
static void sort_waiting(struct pincer *p, enum pincer_color color)
{
    int32_t *cells = p->waiting[color];
    for (int32_t i = 1; i < p->waiting_count[color]; i++) {
        int32_t cell = cells[i], at = i;
        int64_t key = key_of(p, cell);
        for (; at > 0 && key_of(p, cells[at - 1]) > key; at--)
            cells[at] = cells[at - 1];
        cells[at] = cell;
    }
}

static void restart(struct pincer *p, int32_t first)
{
    bucket_queue_start(&p->queue, key_of(p, first), 2 * p->passages->highest,
                       bucket_queue_shift(passages_grain(p->passages)));
}

static void rebase(struct pincer *p)
{
    if (p->base < p->passages->range) {
        for (int32_t i = 0; i < p->passages->cells; i++)
            p->nodes[i].cost = cost_none;
        p->base = cost_none;
    }
    p->base -= p->passages->range;
}

static inline bool precedes(const struct search_workspace *w, int32_t from,
                            int d, int32_t to)
{
    const struct pincer *p = w->state;
    return p->nodes[from].cost + passages_weight(p->passages, d, to) ==
               p->nodes[to].cost &&
           !waits(p, from);
}

static bool come(struct pincer *p)
{
    bool straight = p->passages->moves == 2 * p->passages->grid.dims;
    if (p->allowed == PINCER_WHITE)
        return straight ? advance(p, true, true) : advance(p, false, true);
    return straight ? advance(p, true, false) : advance(p, false, false);
}

static bool spread(struct pincer *p)
{
    rebase(p);
    p->waiting_count[PINCER_GREEN] = p->waiting_count[PINCER_YELLOW] = 0;
    p->allowed = PINCER_WHITE;
    p->nodes[p->start].cost = p->base;
    restart(p, p->start);
    bucket_queue_put(&p->queue, p->start, p->queue.first);
    while (!come(p)) {
        if (p->allowed == PINCER_YELLOW)
            return false;
        p->allowed++;
        p->fed = 0;
        sort_waiting(p, p->allowed);
        if (p->waiting_count[p->allowed] > 0)
            restart(p, p->waiting[p->allowed][0]);
    }
    return true;
}

bool pincer_search(struct pincer *p, struct random *ties, double *cost)
{
    struct search_workspace *w = &p->workspace;
    p->ties = ties != NULL;
    if (!spread(p))
        return false;
    *cost = (double)(p->nodes[p->goal].cost - p->base) / p->passages->unit;
    search_trace(w, p->start, p->goal, ties, precedes);
    return true;
}
