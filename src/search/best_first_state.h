/* SPDX-License-Identifier: MIT */
/* What Dijkstra and A* keep: shared by the loop over a bucket queue
 * (best_first.c) and by the one for even ground (dijkstra_even.c). */
#ifndef HAMON_SEARCH_BEST_FIRST_STATE_H
#define HAMON_SEARCH_BEST_FIRST_STATE_H

#include "search/bucket_queue.h"
#include "search/passages.h"

/* Costs of a query are base + g, bases falling from query to query by more
 * than any g: what earlier queries left is larger, that is not reached.
 *
 * The nodes' memory holds, on even ground, `costs` and then `lists`, two cells
 * of room for each cell. */
struct best_first {
    struct bucket_queue queue;
    struct bucket_node *nodes; /* padded */
    int64_t *costs;            /* padded; NULL: they are the nodes' */
    int32_t *lists;
    int64_t base;
    int64_t range; /* of the last query */
};

/* Does every move weigh between one and two widths of a bucket? */
static inline bool dijkstra_is_even(const struct passages *p)
{
    return !p->cost && p->highest >> bucket_queue_shift(p->lowest[1]) < 2;
}

/* Dijkstra from `from`; to < 0: everywhere, else until all cells under the
 * goal's cost are taken, with `ties` those at it too. state->base is set.
 * Returns the expansions. */
uint64_t dijkstra_even(const struct passages *passages,
                       struct best_first *state, int32_t from, int32_t to,
                       bool ties);

#endif
