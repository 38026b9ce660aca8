/* SPDX-License-Identifier: MIT */
/* Colours, the search round them, and the plans.
 *
 * The search is A* with a consistent bound, resumed with green and then with
 * yellow cells allowed. It settles the cells of a colour at Dijkstra's costs:
 * all of them if no path is found, else all on a shortest one. So the plans
 * equal Dijkstra's, in less time. If every move weighs a few whole steps,
 * pincer_steps.c makes the same plans faster. */
#include "search/pincer.h"

#include "base/memory.h"
#include "search/pincer_state.h"
#include "search/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- colours ---- */

void pincer_color_path(struct pincer *p, const int32_t *path, size_t count)
{
    const struct passages *passages = p->passages;
    int32_t *cells = p->waiting[PINCER_GREEN]; /* no cell waits for its
                                                * colour */
    for (size_t i = 0; i < count; i++) {
        cells[i] = passages_index(passages, (size_t)path[i]);
        if (cells[i] != p->goal)
            p->color[cells[i]] = (uint16_t)(4 * p->round + PINCER_YELLOW);
    }
    uint16_t green = (uint16_t)(4 * p->round + PINCER_GREEN);
    for (size_t i = 0; i < count; i++)
        for (int d = 0; cells[i] != p->goal && d < passages->moves; d++) {
            int32_t n = cells[i] + passages->offset[d];
            if (p->color[n] < green && !passages->wall[n])
                p->color[n] = green;
        }
    p->color[p->goal] = 0;
}

enum pincer_color pincer_color_of(const struct pincer *p, size_t cell)
{
    return pincer_color_at(p, passages_index(p->passages, cell));
}

/* ---- the search ---- */

/* The `before` of a node that is not in the queue: settled while white, green
 * or yellow was the last colour allowed; or waiting for its colour. */
enum { SETTLED = INT32_MIN, WAITING = SETTLED + PINCER_YELLOW + 1 };

/* Above every cost, and far from overflow when a weight is added. */
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

/* With moves along the axes it is the Manhattan distance, at half the cost of
 * the general bound. */
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

static inline int64_t key_of(const struct pincer *p, int32_t cell)
{
    int from[GRID_AXES];
    passages_apart(p->passages, cell, p->goal_at, from);
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

/* The variables that the loop keeps in registers. */
struct front {
    struct bucket_queue queue;
    int64_t limit; /* costs below it are of this search */
    int32_t settled;
    bool straight, white; /* constants when the loop is compiled */
};

/* `from`: the position of `at` relative to the goal. */
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
        /* Settled before the last colour was allowed: its cost remains. */
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

/* Queues waiting cells whose keys are not above the lowest bucket. They are
 * queued as the search advances, since the keys in the queue may not span more
 * than a move. */
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
            continue; /* a cheaper path has queued it already */
        queue->cursor = bucket;
        bucket_queue_put(queue, cell, key);
    }
}

/* Is the goal reached? Searches until no shorter path is left, and with ties
 * until no other path of the same length is left. */
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
        passages_apart(p->passages, at, p->goal_at, from);
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

/* Cells are found nearly in the order of their keys, within one move's weight,
 * so insertion sort is fast. */
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

/* Searches from start to goal round the coloured cells, writes the path into
 * the workspace and its cost; false if there is no path. */
static bool pincer_search(struct pincer *p, struct random *ties, double *cost)
{
    struct search_workspace *w = &p->workspace;
    p->ties = ties != NULL;
    if (!spread(p))
        return false;
    *cost = (double)(p->nodes[p->goal].cost - p->base) / p->passages->unit;
    search_trace(w, p->start, p->goal, ties, precedes);
    return true;
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
    if (p->round == UINT16_MAX / 4) {
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
    if (!(ties && pincer_steps_suit(p) ? pincer_steps_search
                                       : pincer_search)(p, ties, &result->cost))
        return SEARCH_UNREACHABLE;
    if (p->next < p->count)
        pincer_color_path(p, p->workspace.path, p->workspace.path_count);
    return SEARCH_FOUND;
}

int pincer_turn(struct pincer *p)
{
    return p->next < p->count ? p->order[p->next++] : -1;
}

bool pincer_next(struct pincer *p, struct random *ties,
                 struct pincer_plan *plan)
{
    int pursuer = pincer_turn(p);
    if (pursuer < 0)
        return false;
    int64_t start = search_nanoseconds();
    *plan = (struct pincer_plan){ .pursuer = pursuer };
    struct search_result *result = &plan->result;
    result->cost = result->length = INFINITY;
    result->memory = p->workspace.memory;
    p->workspace.path_count = 0;
    p->expansions = 0;
    p->allowed = PINCER_WHITE;
    result->outcome = plan_path(p, p->pursuers[pursuer], ties, result);
    result->nanoseconds = search_nanoseconds() - start;
    result->expansions = p->expansions;
    plan->allowed = p->allowed;
    if (result->outcome == SEARCH_FOUND) {
        result->path = p->workspace.path;
        result->path_count = p->workspace.path_count;
        result->length = search_path_length(&p->workspace);
    }
    return true;
}

/* ---- construction ---- */

enum status pincer_new(const struct passages *passages, int pursuers_most,
                       struct pincer **pincer, struct error *error)
{
    struct pincer *p = memory_new(1, sizeof *p);
    if (!p)
        return error_memory(error);
    size_t cells = (size_t)passages->cells, most = (size_t)pursuers_most;
    *p = (struct pincer){ .passages = passages, .most = pursuers_most };
    p->nodes = memory_new(cells, sizeof *p->nodes);
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
    p->workspace.memory =
        sizeof *p + BUCKETS_MOST * sizeof(int32_t) +
        cells * (sizeof *p->nodes + sizeof *p->color + 3 * sizeof(int32_t)) +
        most * (sizeof *p->pursuers + sizeof *p->order);
    if (!p->nodes || !p->color || !p->waiting[PINCER_GREEN] ||
        !p->waiting[PINCER_YELLOW] || !p->pursuers || !p->order ||
        !p->queue.heads || !p->workspace.path) {
        pincer_release(p);
        return error_memory(error);
    }
    enum status status = pincer_steps_init(p, error);
    if (status)
        pincer_release(p);
    else
        *pincer = p;
    return status;
}

void pincer_release(struct pincer *p)
{
    if (!p)
        return;
    pincer_steps_release(&p->steps);
    memory_release(p->nodes);
    memory_release(p->color);
    memory_release(p->waiting[PINCER_GREEN]);
    memory_release(p->waiting[PINCER_YELLOW]);
    memory_release(p->pursuers);
    memory_release(p->order);
    memory_release(p->queue.heads);
    memory_release(p->workspace.path);
    memory_release(p);
}
