/* SPDX-License-Identifier: MIT */
/* The search of the pincer if every move weighs a few whole steps: one along an
 * axis, or any move if the measure is steps, times a cost that is a small whole
 * number. It finds the costs of pincer.c in less time: cells are settled level
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
 * There is no bound to the goal, so in open country the A* of pincer.c takes
 * fewer cells. Whole chases of six pursuers on maps of 256 to 513 cells a side
 * take 1.3 to 2.9 times as long without this search. */
#include "base/memory.h"
#include "search/pincer_state.h"
#include "search/trace.h"

#include <string.h>

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

/* ---- suitable weights ---- */

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

bool pincer_steps_suit(const struct pincer *p)
{
    return weights_suit(p->passages) &&
           levels_for(p->passages) <= p->steps.level_count;
}

/* ---- spreading ---- */

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

static void wait_for(struct pincer *p, int32_t cell, int32_t cost)
{
    struct steps_waiters *list =
        &p->steps.waiting[p->color[cell] % 4 + (int)p->allowed];
    list->cells[list->count++] = (struct steps_waiting){ cell, cost };
}

/* Puts the cells that wait since levels below `level` into their levels.
 * Returns the first level since which others wait; COST_NONE if none does. */
static int32_t feed(struct pincer *p, struct steps_waiters *list, int32_t level)
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

static int32_t feed_all(struct pincer *p, int32_t level)
{
    int32_t next = COST_NONE;
    for (int met = PINCER_WHITE; met < (int)p->allowed; met++) {
        int32_t from = feed(p, &p->steps.waiting[(int)p->allowed + met], level);
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
    int32_t from = feed_all(p, p->steps.base), tail = queue->count;
    while (cost[goal] >= limit) {
        if (head == tail && from == COST_NONE)
            break;
        int32_t level = head < tail ? cost[cell_of(arrivals[head])] : from + 1;
        if (from < level) {
            queue->count = tail;
            from = feed_all(p, level);
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
                wait_for(p, n, level + 1);
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
                wait_for(p, n, next);
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
        int32_t from = feed_all(p, level);
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

static void begin(struct pincer *p)
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
static inline bool precedes(const struct search_workspace *w, int32_t from,
                            int d, int32_t to)
{
    const struct pincer *p = w->state;
    const int32_t *cost = p->steps.cost;
    int32_t weight = p->passages->cost ? (int32_t)p->passages->cost[to] : 1;
    return (cost[from] + weight == cost[to]) &
           ((p->color[from] <= 4 * p->round + (int)p->allowed) |
            (from == p->start));
}

bool pincer_steps_search(struct pincer *p, struct random *ties, double *cost)
{
    begin(p);
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
    search_trace(&p->workspace, p->start, p->goal, ties, precedes);
    return true;
}

/* ---- construction ---- */

static void *cells_new(struct pincer *p, size_t size)
{
    size_t cells = (size_t)p->passages->cells;
    p->workspace.memory += cells * size;
    return memory_new(cells, size);
}

enum status pincer_steps_init(struct pincer *p, struct error *error)
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

void pincer_steps_release(struct pincer_steps *steps)
{
    memory_release(steps->cost);
    for (int i = 0; i < STEPS_LEVELS_MOST; i++)
        memory_release(steps->levels[i].arrivals);
    for (int i = 0; i < STEPS_WAITERS; i++)
        memory_release(steps->waiting[i].cells);
}
