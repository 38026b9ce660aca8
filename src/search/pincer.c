/* SPDX-License-Identifier: MIT */
#include "search/pincer.h"

#include "base/memory.h"
#include "search/bucket_queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* In `before` of a node that is not in the queue: settled while white, green or
 * yellow was the last colour allowed, or waiting for its colour. */
enum { SETTLED = INT32_MIN, WAITING = SETTLED + PINCER_YELLOW + 1 };

/* Buckets of a 16th of the lightest move tell f's apart, as in best_first.c. */
enum { FINER = 4 };

/* Over every cost, and far from overflow when a weight is added. */
static const int64_t cost_none = INT64_MAX / 2;

/* Where a padded cell lies: bounds ask for it far too often to divide. */
struct cell_place {
    int32_t x, y, z;
};

struct pincer {
    const struct passages *passages;
    struct search_workspace workspace; /* of the trace: path and passages */
    struct bucket_queue queue;
    struct bucket_node *nodes; /* padded */
    struct cell_place *places; /* padded */
    uint32_t *color;           /* padded: 4 · round + colour */
    uint32_t round;
    int64_t base;
    /* Cells met while their colour was not allowed: [GREEN], [YELLOW]. */
    int32_t *waiting[PINCER_YELLOW + 1];
    int32_t waiting_count[PINCER_YELLOW + 1];
    int32_t fed; /* of the list that was last allowed, how many are queued */
    enum pincer_color allowed;
    int32_t start, goal;
    int goal_at[GRID_AXES];
    bool ties; /* every shortest path is to be found */
    uint64_t expansions;
    size_t *pursuers; /* cells, as given */
    int *order;
    int most, count, next;
};

static inline enum pincer_color color_at(const struct pincer *p, int32_t cell)
{
    uint32_t color = p->color[cell];
    return color / 4 == p->round && cell != p->goal
               ? (enum pincer_color)(color % 4)
               : PINCER_WHITE;
}

static inline bool reached(const struct pincer *p, int32_t cell)
{
    return p->nodes[cell].cost < p->base + p->passages->range;
}

/* Settled before the last colour was allowed: that cost stays. */
static inline bool frozen(const struct pincer *p, int32_t cell)
{
    return reached(p, cell) &&
           p->nodes[cell].before < SETTLED + (int32_t)p->allowed;
}

static inline bool queued(const struct pincer *p, int32_t cell)
{
    return reached(p, cell) && p->nodes[cell].before > WAITING;
}

static inline bool waits(const struct pincer *p, int32_t cell)
{
    return reached(p, cell) && p->nodes[cell].before == WAITING;
}

/* ---- one search ----
 *
 * A* with a consistent bound settles a colour's cells at the costs that
 * Dijkstra would give them, all of them where no way is found, and where one
 * is, all that lie on a shortest one: the plans are those of Dijkstra's, and
 * cost less time. */

static inline int64_t key_of(const struct pincer *p, int32_t cell)
{
    const struct passages *passages = p->passages;
    const struct cell_place *place = &p->places[cell];
    const int at[GRID_AXES] = { place->x, place->y, place->z };
    if (passages->moves > 2 * passages->grid.dims)
        return p->nodes[cell].cost + passages_bound(passages, at, p->goal_at);
    int sum = abs(at[0] - p->goal_at[0]) + abs(at[1] - p->goal_at[1]) +
              abs(at[2] - p->goal_at[2]);
    return p->nodes[cell].cost + passages->lowest[1] * sum;
}

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

static inline void expand(struct pincer *p, int32_t at)
{
    const struct passages *passages = p->passages;
    int64_t cost = p->nodes[at].cost;
    p->expansions++;
    for (uint32_t open = passages->open[at]; open; open &= open - 1) {
        int d = __builtin_ctz(open);
        int32_t n = at + passages->offset[d];
        int64_t next = cost + passages_weight(passages, d, n);
        if (next >= p->nodes[n].cost || frozen(p, n))
            continue;
        enum pincer_color color = color_at(p, n);
        if (color > p->allowed) {
            wait_for(p, n, next, color);
            continue;
        }
        if (queued(p, n))
            bucket_queue_drop(&p->queue, n);
        p->nodes[n].cost = next;
        bucket_queue_put(&p->queue, n, key_of(p, n));
    }
}

/* Queues waiting cells whose turn has come: those no dearer than the lowest
 * bucket. They are fed as the search advances, for keys in the queue may not
 * span more than a move. */
static void feed(struct pincer *p)
{
    int32_t count = p->waiting_count[p->allowed];
    struct bucket_queue *queue = &p->queue;
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
static bool advance(struct pincer *p)
{
    for (;;) {
        if (p->allowed > PINCER_WHITE)
            feed(p);
        int32_t at = bucket_queue_take(&p->queue);
        if (at == BUCKET_NONE)
            return reached(p, p->goal);
        p->nodes[at].before = SETTLED + (int32_t)p->allowed;
        if (reached(p, p->goal)) {
            int64_t goal = p->nodes[p->goal].cost, key = key_of(p, at);
            if (bucket_queue_passed(&p->queue, goal))
                return true;
            if (key > goal || (key == goal && !p->ties))
                continue;
        }
        expand(p, at);
    }
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
    int shift = bucket_queue_shift(p->passages->lowest[1] >> FINER);
    bucket_queue_start(&p->queue, key_of(p, first), 2 * p->passages->highest,
                       shift);
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

static bool search(struct pincer *p)
{
    rebase(p);
    p->expansions = 0;
    p->waiting_count[PINCER_GREEN] = p->waiting_count[PINCER_YELLOW] = 0;
    p->allowed = PINCER_WHITE;
    p->nodes[p->start].cost = p->base;
    restart(p, p->start);
    bucket_queue_put(&p->queue, p->start, key_of(p, p->start));
    while (!advance(p)) {
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

static bool precedes(const struct search_workspace *w, int32_t from, int d,
                     int32_t to)
{
    const struct pincer *p = w->state;
    return reached(p, from) && !waits(p, from) &&
           p->nodes[from].cost + passages_weight(p->passages, d, to) ==
               p->nodes[to].cost;
}

/* ---- colours ---- */

static void color_path(struct pincer *p)
{
    const struct passages *passages = p->passages;
    const struct search_workspace *w = &p->workspace;
    int32_t *path = p->waiting[PINCER_GREEN]; /* nobody waits any more */
    for (size_t i = 0; i < w->path_count; i++) {
        path[i] = passages_index(passages, (size_t)w->path[i]);
        if (path[i] != p->goal)
            p->color[path[i]] = 4 * p->round + PINCER_YELLOW;
    }
    for (size_t i = 0; i < w->path_count; i++)
        for (int d = 0; path[i] != p->goal && d < passages->moves; d++) {
            int32_t n = path[i] + passages->offset[d];
            if (!passages->wall[n] && color_at(p, n) == PINCER_WHITE)
                p->color[n] = 4 * p->round + PINCER_GREEN;
        }
}

enum pincer_color pincer_color_of(const struct pincer *p, size_t cell)
{
    return color_at(p, passages_index(p->passages, cell));
}

/* ---- plans ---- */

static int far_from(const struct pincer *p, size_t cell, size_t evader)
{
    int a[GRID_AXES], b[GRID_AXES], sum = 0, most = 0;
    grid_cell(&p->passages->grid, cell, a);
    grid_cell(&p->passages->grid, evader, b);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int difference = abs(a[axis] - b[axis]);
        sum += difference;
        most = difference > most ? difference : most;
    }
    return p->passages->moves > 2 * p->passages->grid.dims ? most : sum;
}

void pincer_begin(struct pincer *p, const size_t *pursuers, int count,
                  size_t evader)
{
    size_t cells = grid_cells(&p->passages->grid);
    if (p->round == UINT32_MAX / 4) {
        memset(p->color, 0, (size_t)p->passages->cells * sizeof *p->color);
        p->round = 0;
    }
    p->round++;
    p->goal = evader < cells ? passages_index(p->passages, evader) : 0;
    passages_place(p->passages, p->goal, p->goal_at);
    p->count = count;
    p->next = 0;
    for (int i = 0; i < count; i++) {
        int far = far_from(p, pursuers[i], evader), at = i;
        p->pursuers[i] = pursuers[i];
        for (; at > 0 && far_from(p, pursuers[p->order[at - 1]], evader) > far;
             at--)
            p->order[at] = p->order[at - 1];
        p->order[at] = i;
    }
}

static int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static enum search_outcome plan_path(struct pincer *p, size_t from,
                                     struct random *ties,
                                     struct search_result *result)
{
    const struct passages *passages = p->passages;
    if (from >= grid_cells(&passages->grid) ||
        passages->wall[passages_index(passages, from)])
        return SEARCH_START_BLOCKED;
    if (passages->wall[p->goal])
        return SEARCH_GOAL_BLOCKED;
    p->start = passages_index(passages, from);
    p->ties = ties != NULL;
    if (!search(p))
        return SEARCH_UNREACHABLE;
    result->cost = (double)(p->nodes[p->goal].cost - p->base) / passages->unit;
    search_trace(&p->workspace, p->start, p->goal, ties, precedes);
    color_path(p);
    return SEARCH_FOUND;
}

bool pincer_next(struct pincer *p, struct random *ties,
                 struct pincer_plan *plan)
{
    if (p->next == p->count)
        return false;
    int pursuer = p->order[p->next++];
    int64_t start = nanoseconds();
    *plan = (struct pincer_plan){ .pursuer = pursuer };
    struct search_result *result = &plan->result;
    result->cost = result->length = INFINITY;
    result->memory = p->workspace.memory;
    p->workspace.path_count = 0;
    p->expansions = 0;
    p->allowed = PINCER_WHITE;
    result->outcome = plan_path(p, p->pursuers[pursuer], ties, result);
    result->nanoseconds = nanoseconds() - start;
    result->expansions = p->expansions;
    plan->allowed = p->allowed;
    if (result->outcome == SEARCH_FOUND) {
        result->path = p->workspace.path;
        result->path_count = p->workspace.path_count;
        result->length = search_path_length(&p->workspace);
    }
    return true;
}

/* ---- making ---- */

enum status pincer_new(const struct passages *passages, int pursuers_most,
                       struct pincer **pincer, struct error *error)
{
    struct pincer *p = memory_new(1, sizeof *p);
    if (!p)
        return error_memory(error);
    size_t cells = (size_t)passages->cells, most = (size_t)pursuers_most;
    *p = (struct pincer){ .passages = passages, .most = pursuers_most };
    p->nodes = memory_new(cells, sizeof *p->nodes);
    p->places = memory_new(cells, sizeof *p->places);
    p->color = memory_new(cells, sizeof *p->color);
    p->waiting[PINCER_GREEN] = memory_new(cells, sizeof(int32_t));
    p->waiting[PINCER_YELLOW] = memory_new(cells, sizeof(int32_t));
    p->pursuers = memory_new(most, sizeof *p->pursuers);
    p->order = memory_new(most, sizeof *p->order);
    p->queue.nodes = p->nodes;
    p->queue.heads = memory_new(BUCKETS_MOST, sizeof(int32_t));
    p->workspace.path = memory_new(cells, sizeof(int32_t));
    p->workspace.passages = passages;
    p->workspace.state = p;
    p->workspace.memory = sizeof *p + BUCKETS_MOST * sizeof(int32_t) +
                          cells * (sizeof *p->nodes + sizeof *p->places +
                                   sizeof *p->color + 3 * sizeof(int32_t)) +
                          most * (sizeof *p->pursuers + sizeof *p->order);
    if (!p->nodes || !p->places || !p->color || !p->waiting[PINCER_GREEN] ||
        !p->waiting[PINCER_YELLOW] || !p->pursuers || !p->order ||
        !p->queue.heads || !p->workspace.path) {
        pincer_release(p);
        return error_memory(error);
    }
    for (int32_t i = 0; i < passages->cells; i++) {
        int at[GRID_AXES];
        passages_place(passages, i, at);
        p->places[i] = (struct cell_place){ at[0], at[1], at[2] };
    }
    *pincer = p;
    return STATUS_OK;
}

void pincer_release(struct pincer *p)
{
    if (!p)
        return;
    memory_release(p->nodes);
    memory_release(p->places);
    memory_release(p->color);
    memory_release(p->waiting[PINCER_GREEN]);
    memory_release(p->waiting[PINCER_YELLOW]);
    memory_release(p->pursuers);
    memory_release(p->order);
    memory_release(p->queue.heads);
    memory_release(p->workspace.path);
    memory_release(p);
}
