/* SPDX-License-Identifier: MIT */
/* Colours, the search round them, and the plans.
 *
 * The search is A* with a consistent bound, resumed with green and then with
 * yellow cells allowed. It settles the cells of a colour at Dijkstra's costs:
 * all of them if no path is found, else all on a shortest one. So the plans
 * equal Dijkstra's, in less time. If every move weighs a few whole steps, a
 * search by levels of cost makes the same plans faster, random ties
 * included. */
#include "search/pincer.h"

#include "base/memory.h"
#include "search/bucket_queue.h"
#include "search/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct steps_waiting {
    int32_t cell, cost;
};

struct steps_waiters {
    struct steps_waiting *cells;
    int32_t count, fed;
};

struct steps_level {
    uint32_t *arrivals; /* cells, each with the reverse of the move that reached
                         * it */
    int32_t count, taken;
};

enum { STEPS_LEVELS_MOST = 8, STEPS_WAITERS = 2 * PINCER_YELLOW };

struct pincer_steps {
    int32_t *cost;                                /* padded */
    struct steps_level levels[STEPS_LEVELS_MOST]; /* a ring, by cost */
    int level_count;                              /* a power of two */
    struct steps_waiters waiting[STEPS_WAITERS];  /* by colour + allowed */
    int32_t base;
};

struct pincer {
    const struct passages *passages;
    struct search_workspace workspace; /* of the trace: path and passages */
    struct bucket_queue queue;
    struct bucket_node *nodes; /* padded */
    uint16_t *color;           /* padded: 4 · round + colour */
    uint16_t round;
    int64_t base;
    /* Cells met while their colour was not allowed: [GREEN], [YELLOW]. */
    int32_t *waiting[PINCER_YELLOW + 1];
    int32_t waiting_count[PINCER_YELLOW + 1];
    int32_t fed; /* the number already queued of the list last allowed */
    enum pincer_color allowed;
    int32_t start, goal;
    int goal_at[GRID_AXES];
    bool ties; /* all shortest paths must be found */
    uint64_t expansions;
    struct pincer_steps steps;
    size_t *pursuers; /* cells, as given */
    int *order;
    int most, count, next;
};

static inline enum pincer_color pincer_color_at(const struct pincer *p,
                                                int32_t cell)
{
    int color = p->color[cell];
    return color / 4 == p->round && cell != p->goal
               ? (enum pincer_color)(color % 4)
               : PINCER_WHITE;
}

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

/* ---- the search by levels of cost ---- */

/* The search of the pincer if every move weighs a few whole steps: one along an
 * axis, or any move if the measure is steps, times a cost that is a small whole
 * number. It finds the same costs in less time: cells are settled level
 * by level of their cost (Dial 1969; breadth first if all moves weigh 1).
 *
 * The weight of a move is the cost of the cell that it enters. So the first
 * cell that reaches a neighbour reaches it at the lowest cost, and every
 * reached cell is settled: no cell is in two lists, none is moved, and nothing
 * is sorted. A cell whose colour is not allowed waits in a list: one for each
 * colour and for each colour allowed when the cell was met. Each list is in the
 * order of the levels from which its cells were met. When the colour is
 * allowed, the cells enter their levels.
 *
 * There is no bound to the goal, so in open country A* takes
 * fewer cells. Whole chases of six pursuers on maps of 256 to 513 cells a side
 * take 1.3 to 2.9 times as long without this search. */

/* Above every cost of a search. */
enum { COST_NONE = 1 << 30 };

/* A cell and the move back to the one that reached it, if that is known;
 * NOWHERE: search all moves. */
enum { CELL_BITS = 27, NOWHERE = 31 };

enum { AHEAD = 8 }; /* how far ahead in the queue memory is prefetched */

static inline uint32_t arrival(int32_t cell, unsigned back)
{
    return (uint32_t)cell | back << CELL_BITS;
}

static inline int32_t cell_of(uint32_t arrival)
{
    return (int32_t)(arrival & ((UINT32_C(1) << CELL_BITS) - 1));
}

static inline uint32_t moves_on(const uint32_t *open, uint32_t arrival)
{
    return open[cell_of(arrival)] & ~(UINT32_C(1) << (arrival >> CELL_BITS));
}

static int heaviest(const struct passages *p)
{
    return p->cost ? (int)p->cost_high : 1;
}

/* Above any path's weight. */
static int32_t range_of(const struct passages *p)
{
    return (heaviest(p) + 1) * p->cells;
}

/* This level, and as many as the heaviest move adds. */
static int levels_for(const struct passages *p)
{
    int levels = 1;
    while (p->cost && levels < heaviest(p) + 1)
        levels *= 2;
    return levels;
}

static bool weights_suit(const struct passages *p)
{
    if (p->measure != MEASURE_STEPS && p->moves > 2 * p->grid.dims)
        return false;
    if (p->cost && (!p->cost_whole || p->cost_low < 1 ||
                    p->cost_high >= STEPS_LEVELS_MOST))
        return false;
    return p->cells < COST_NONE / 16 / (heaviest(p) + 1);
}

bool pincer_uses_steps(const struct pincer *p)
{
    return weights_suit(p->passages) &&
           levels_for(p->passages) <= p->steps.level_count;
}

void pincer_use_weights(struct pincer *p)
{
    p->steps.level_count = 0;
}

/* Costs above it were left by earlier searches. */
static inline int32_t limit_of(const struct pincer *p)
{
    return p->steps.base + range_of(p->passages);
}

/* Was the cell settled before the colour that is now allowed? Then its cost
 * remains. Of the reached cells only those of this colour, and of higher ones,
 * wait. */
static inline bool settled_before(const struct pincer *p, int32_t cell)
{
    return p->allowed > PINCER_WHITE &&
           p->color[cell] < 4 * p->round + (int)p->allowed &&
           p->steps.cost[cell] < limit_of(p);
}

static void steps_wait(struct pincer *p, int32_t cell, int32_t cost)
{
    struct steps_waiters *list =
        &p->steps.waiting[p->color[cell] % 4 + (int)p->allowed];
    list->cells[list->count++] = (struct steps_waiting){ cell, cost };
}

/* Puts the cells that wait since levels below `level` into their levels.
 * Returns the first level since which others wait; COST_NONE if none does. */
static int32_t steps_feed(struct pincer *p, struct steps_waiters *list,
                          int32_t level)
{
    struct pincer_steps *steps = &p->steps;
    const double *weight = p->passages->cost;
    for (; list->fed < list->count; list->fed++) {
        struct steps_waiting next = list->cells[list->fed];
        if (steps->cost[next.cell] != next.cost)
            continue; /* a cheaper path has reached it already */
        int32_t from = next.cost - (weight ? (int32_t)weight[next.cell] : 1);
        if (from >= level)
            return from;
        struct steps_level *to =
            &steps->levels[next.cost & (steps->level_count - 1)];
        to->arrivals[to->count++] = arrival(next.cell, NOWHERE);
    }
    return COST_NONE;
}

static int32_t steps_feed_all(struct pincer *p, int32_t level)
{
    int32_t next = COST_NONE;
    for (int met = PINCER_WHITE; met < (int)p->allowed; met++) {
        int32_t from =
            steps_feed(p, &p->steps.waiting[(int)p->allowed + met], level);
        next = from < next ? from : next;
    }
    return next;
}

/* Prefetches the data that a cell of the queue will need. */
static inline void ask_ahead(const struct pincer *p, int32_t cell)
{
    int32_t pitch = p->passages->pitch;
    __builtin_prefetch(&p->passages->open[cell]);
    for (int32_t n = cell - pitch; n <= cell + pitch; n += pitch)
        __builtin_prefetch(&p->steps.cost[n], 1);
}

/* Is the goal reached? If all moves weigh 1, the levels are one queue, and
 * cells that waited join it before the first of their level is taken. The loop
 * reads copies, because the compiler must assume that its stores change the
 * originals. */
static bool advance_queue(struct pincer *p)
{
    const uint32_t *open = p->passages->open;
    const uint16_t *color = p->color;
    struct steps_level *queue = &p->steps.levels[0];
    uint32_t *arrivals = queue->arrivals;
    int32_t *cost = p->steps.cost, offset[MOVES_3D];
    int32_t limit = limit_of(p), goal = p->goal, head = queue->taken;
    int allowed = 4 * p->round + (int)p->allowed;
    memcpy(offset, p->passages->offset, sizeof offset);
    int32_t from = steps_feed_all(p, p->steps.base), tail = queue->count;
    while (cost[goal] >= limit) {
        if (head == tail && from == COST_NONE)
            break;
        int32_t level = head < tail ? cost[cell_of(arrivals[head])] : from + 1;
        if (from < level) {
            queue->count = tail;
            from = steps_feed_all(p, level);
            tail = queue->count;
            continue;
        }
        if (head + AHEAD < tail)
            ask_ahead(p, cell_of(arrivals[head + AHEAD]));
        uint32_t at = arrivals[head++];
        for (uint32_t on = moves_on(open, at); on; on &= on - 1) {
            unsigned d = (unsigned)__builtin_ctz(on);
            int32_t n = cell_of(at) + offset[d];
            if (level + 1 >= cost[n] || settled_before(p, n))
                continue;
            cost[n] = level + 1;
            if (color[n] > allowed)
                steps_wait(p, n, level + 1);
            else
                arrivals[tail++] = arrival(n, d ^ 1);
        }
    }
    queue->count = tail;
    queue->taken = head;
    return cost[goal] < limit;
}

/* Takes the cells of a level if cells cost more than 1: one list a level. */
static void expand_level(struct pincer *p, int32_t level)
{
    const struct passages *passages = p->passages;
    struct pincer_steps *steps = &p->steps;
    int32_t *cost = steps->cost, mask = steps->level_count - 1;
    struct steps_level *list = &steps->levels[level & mask];
    for (int32_t i = 0; i < list->count; i++) {
        uint32_t at = list->arrivals[i];
        for (uint32_t on = moves_on(passages->open, at); on; on &= on - 1) {
            unsigned d = (unsigned)__builtin_ctz(on);
            int32_t n = cell_of(at) + passages->offset[d];
            int32_t next = level + (int32_t)passages->cost[n];
            if (next >= cost[n] || settled_before(p, n))
                continue;
            cost[n] = next;
            struct steps_level *to = &steps->levels[next & mask];
            if (p->color[n] > 4 * p->round + (int)p->allowed)
                steps_wait(p, n, next);
            else
                to->arrivals[to->count++] = arrival(n, d ^ 1);
        }
    }
    p->expansions += (uint64_t)list->count;
    list->count = 0;
}

static bool any_left(const struct pincer_steps *steps)
{
    int32_t count = 0;
    for (int i = 0; i < steps->level_count; i++)
        count += steps->levels[i].count;
    return count > 0;
}

static bool advance_levels(struct pincer *p)
{
    const struct pincer_steps *steps = &p->steps;
    for (int32_t level = steps->base;; level++) {
        int32_t from = steps_feed_all(p, level);
        if (steps->cost[p->goal] <= level)
            return true;
        if (steps->levels[level & (steps->level_count - 1)].count > 0)
            expand_level(p, level);
        else if (!any_left(steps) && from == COST_NONE)
            return false;
        else if (!any_left(steps))
            level = from;
    }
}

static void steps_begin(struct pincer *p)
{
    struct pincer_steps *steps = &p->steps;
    int32_t range = range_of(p->passages);
    if (steps->base < range) {
        for (int32_t i = 0; i < p->passages->cells; i++)
            steps->cost[i] = COST_NONE;
        steps->base = COST_NONE;
    }
    steps->base -= range;
    for (int i = 0; i < steps->level_count; i++)
        steps->levels[i].count = steps->levels[i].taken = 0;
    for (int i = 0; i < STEPS_WAITERS; i++)
        steps->waiting[i].count = steps->waiting[i].fed = 0;
    struct steps_level *first =
        &steps->levels[steps->base & (steps->level_count - 1)];
    first->arrivals[first->count++] = arrival(p->start, NOWHERE);
    steps->cost[p->start] = steps->base;
}

/* Cells that wait have a cost too. */
static inline bool steps_precede(const struct search_workspace *w, int32_t from,
                                 int d, int32_t to)
{
    const struct pincer *p = w->state;
    const int32_t *cost = p->steps.cost;
    int32_t weight = p->passages->cost ? (int32_t)p->passages->cost[to] : 1;
    return (cost[from] + weight == cost[to]) &
           ((p->color[from] <= 4 * p->round + (int)p->allowed) |
            (from == p->start));
}

static bool steps_search(struct pincer *p, struct random *ties, double *cost)
{
    steps_begin(p);
    p->allowed = PINCER_WHITE;
    bool found;
    while (
        !(found = p->passages->cost ? advance_levels(p) : advance_queue(p)) &&
        p->allowed < PINCER_YELLOW)
        p->allowed++;
    p->expansions += (uint64_t)p->steps.levels[0].taken;
    if (!found)
        return false;
    *cost = p->steps.cost[p->goal] - p->steps.base;
    search_trace(&p->workspace, p->start, p->goal, ties, steps_precede);
    return true;
}

static void *cells_new(struct pincer *p, size_t size)
{
    size_t cells = (size_t)p->passages->cells;
    p->workspace.memory += cells * size;
    return memory_new(cells, size);
}

/* Allocates enough stacks for the present weights of the passages. */
static enum status steps_init(struct pincer *p, struct error *error)
{
    struct pincer_steps *steps = &p->steps;
    if (!weights_suit(p->passages))
        return STATUS_OK;
    steps->level_count = levels_for(p->passages);
    steps->cost = cells_new(p, sizeof *steps->cost);
    bool made = steps->cost != NULL;
    for (int i = 0; i < steps->level_count; i++) {
        steps->levels[i].arrivals = cells_new(p, sizeof(uint32_t));
        made = made && steps->levels[i].arrivals;
    }
    for (int i = 1; i < STEPS_WAITERS; i++) {
        steps->waiting[i].cells = cells_new(p, sizeof(struct steps_waiting));
        made = made && steps->waiting[i].cells;
    }
    return made ? STATUS_OK : error_memory(error);
}

static void steps_release(struct pincer_steps *steps)
{
    memory_release(steps->cost);
    for (int i = 0; i < STEPS_LEVELS_MOST; i++)
        memory_release(steps->levels[i].arrivals);
    for (int i = 0; i < STEPS_WAITERS; i++)
        memory_release(steps->waiting[i].cells);
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
    if (!(ties && pincer_uses_steps(p) ? steps_search
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
    enum status status = steps_init(p, error);
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
    steps_release(&p->steps);
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
