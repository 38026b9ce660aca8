/* SPDX-License-Identifier: MIT */
/* Dijkstra on even ground, where no cell has a cost of its own and every move
 * weighs between one and two widths of a bucket (1, √2 and √3 do). From bucket
 * b moves then lead to b + 1 and b + 2 alone, so that:
 *
 *   - three buckets are alive at a time, and each is a plain list, read from
 *     its begin: what comes next is known, and is asked of memory ahead;
 *   - a cell is listed again only when it falls into an earlier bucket, from
 *     b + 2 to b + 1. Its entry in b + 2 is then under the bucket's begin, and
 *     is passed over;
 *   - no cell waits in both b and b + 2, which therefore share room for every
 *     cell once, growing from its two ends.
 *
 * The costs alone are looked at for every move: 8 bytes a cell, where the
 * links of a queue that takes cells out would make it 16. */
#include "search/best_first_state.h"

enum { LISTS = 4, AHEAD = 8 };

struct even {
    const struct passages *passages;
    int64_t *costs;
    int64_t base;
    int shift;
    int32_t *begin[LISTS], *end[LISTS]; /* of bucket b: list b % 4 */
    uint64_t expansions;
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

static inline void relax(struct even *even, int32_t n, int64_t cost)
{
    int64_t before = even->costs[n];
    if (cost >= before)
        return;
    even->costs[n] = cost;
    int64_t bucket = bucket_of(even, cost);
    if (bucket != bucket_of(even, before))
        list_cell(even, bucket, n);
}

/* `moves` is a constant where it is known: all of them open, as on a free
 * field, is then a row of loads without a loop. */
static inline void expand(struct even *even, int32_t at, int moves)
{
    const struct passages *p = even->passages;
    int64_t cost = even->costs[at];
    uint32_t open = p->open[at];
    if (open == (UINT32_C(1) << moves) - 1)
        for (int d = 0; d < moves; d++)
            relax(even, at + p->offset[d], cost + p->weight[d]);
    else
        for (; open; open &= open - 1) {
            int d = __builtin_ctz(open);
            relax(even, at + p->offset[d], cost + p->weight[d]);
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

/* Takes the cells of a bucket under *most: the goal's cost may yet fall. */
static inline void take(struct even *even, int64_t bucket, const int64_t *most,
                        bool ties, int moves)
{
    int list = bucket % LISTS, step = direction(list);
    const int32_t *end = even->end[list];
    int64_t low = even->base + (bucket << even->shift);
    for (const int32_t *next = even->begin[list]; next != end; next += step) {
        bool more = (end - next) * step > AHEAD;
        ask_ahead(even, more ? next[AHEAD * step] : *next);
        int64_t cost = even->costs[*next];
        if (cost < low || cost - ties >= *most)
            continue;
        even->expansions++;
        expand(even, *next, moves);
    }
    even->end[list] = even->begin[list];
}

static inline void spread(struct even *even, int32_t to, bool ties, int moves)
{
    const int64_t none = INT64_MAX, *most = to < 0 ? &none : &even->costs[to];
    int64_t bucket = 0;
    for (int empty = 0; empty < 2; bucket++) {
        int list = bucket % LISTS;
        empty = even->end[list] == even->begin[list] ? empty + 1 : 0;
        if (bucket_of(even, *most) < bucket)
            return;
        take(even, bucket, most, ties, moves);
    }
}

uint64_t dijkstra_even(const struct passages *p, struct best_first *state,
                       int32_t from, int32_t to, bool ties)
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
        spread(&even, to, ties, 4);
    else if (p->moves == 8)
        spread(&even, to, ties, 8);
    else
        spread(&even, to, ties, p->moves);
    return even.expansions;
}
