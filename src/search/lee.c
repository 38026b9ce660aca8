/* SPDX-License-Identifier: MIT */
/* Lee's front (1961): breadth-first search, one step a move. */
#include "base/memory.h"
#include "search/trace.h"

#include <math.h>
#include <string.h>

/* The value of a cell is base + its step. Each query's base is lower than the
 * last one's by more than any step, so that values left by earlier queries are
 * larger than any of this one: they mean not reached, and need not be
 * cleared. */
struct lee {
    uint32_t base;
    uint32_t *step; /* padded */
    int32_t *queue;
};

static void lee_release(struct search_workspace *w)
{
    struct lee *lee = w->state;
    memory_release(lee->step);
    memory_release(lee->queue);
    memory_release(lee);
}

static enum status lee_prepare(struct search_workspace *w, struct error *error)
{
    size_t cells = (size_t)w->passages->cells;
    struct lee *lee = w->state = memory_new(1, sizeof *lee);
    if (!lee)
        return error_memory(error);
    lee->step = memory_new(cells, sizeof *lee->step);
    lee->queue = memory_new(cells, sizeof *lee->queue);
    if (!lee->step || !lee->queue)
        return error_memory(error);
    w->memory += sizeof *lee + cells * (sizeof *lee->step + sizeof *lee->queue);
    return STATUS_OK;
}

static void lee_rebase(struct lee *lee, uint32_t cells)
{
    if (lee->base < cells) {
        memset(lee->step, 0xff, cells * sizeof *lee->step);
        lee->base = UINT32_MAX;
    }
    lee->base -= cells;
}

static bool lee_precedes(const struct search_workspace *w, int32_t from, int d,
                         int32_t to)
{
    const struct lee *lee = w->state;
    return lee->step[from] + 1 == lee->step[to];
}

static inline bool reached(const struct passages *p, const struct lee *lee,
                           int32_t cell)
{
    return lee->step[cell] - lee->base < (uint32_t)p->cells;
}

/* Cells leave the queue in the order of their steps, so when the goal is first
 * reached, every cell before it on any shortest path is settled. */
static bool spread(const struct passages *p, struct lee *lee, int32_t from,
                   int32_t to, struct search_result *result)
{
    uint32_t *step = lee->step;
    int32_t *queue = lee->queue, head = 0, tail = 0;
    step[from] = lee->base;
    queue[tail++] = from;
    while (head < tail && (to < 0 || !reached(p, lee, to))) {
        int32_t at = queue[head++];
        uint32_t next = step[at] + 1;
        for (uint32_t open = p->open[at]; open; open &= open - 1) {
            int32_t n = at + p->offset[__builtin_ctz(open)];
            if (step[n] > next) {
                step[n] = next;
                queue[tail++] = n;
            }
        }
    }
    result->expansions = (uint64_t)head;
    result->generated = (uint64_t)tail;
    return to < 0 || reached(p, lee, to);
}

static bool lee_run(struct search_workspace *w,
                    const struct search_query *query,
                    struct search_result *result)
{
    const struct passages *p = w->passages;
    struct lee *lee = w->state;
    int32_t from = passages_index(p, query->from);
    int32_t to =
        query->to == SEARCH_EVERYWHERE ? -1 : passages_index(p, query->to);
    lee_rebase(lee, (uint32_t)p->cells);
    if (!spread(p, lee, from, to, result))
        return false;
    result->cost = 0;
    if (to < 0)
        return true;
    result->cost = lee->step[to] - lee->base;
    search_trace(w, from, to, query->ties, lee_precedes);
    return true;
}

static double lee_distance(const struct search_workspace *w, size_t cell)
{
    const struct lee *lee = w->state;
    int32_t at = passages_index(w->passages, cell);
    return reached(w->passages, lee, at) ? lee->step[at] - lee->base : INFINITY;
}

const struct search search_lee = {
    .name = "lee",
    .prepare = lee_prepare,
    .release = lee_release,
    .run = lee_run,
    .distance = lee_distance,
};
