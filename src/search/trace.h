/* SPDX-License-Identifier: MIT */
/* The path back from a goal over settled costs, for all searches. It is in a
 * header so that each search's test of a move is inlined into its loop. */
#ifndef HAMON_SEARCH_TRACE_H
#define HAMON_SEARCH_TRACE_H

#include "search/search.h"

/* Can an optimal path reach `to` by move d from `from` (padded cells)? On a
 * path back there is always such a move. */
typedef bool trace_precedes(const struct search_workspace *workspace,
                            int32_t from, int d, int32_t to);

/* The move by which the path reaches `at`. With random ties each possible move
 * has equal probability, and the stream is used only if there is more than
 * one. */
static inline int trace_move(const struct search_workspace *w, int32_t at,
                             struct random *ties, trace_precedes *precedes)
{
    const struct passages *p = w->passages;
    int fit[MOVES_3D], count = 0;
    fit[0] = 0;
    for (int d = 0; d < p->moves; d++) {
        int32_t before = at - p->offset[d];
        fit[count] = d;
        count += (p->open[before] >> d & 1) & precedes(w, before, d, at);
        if (!ties && count > 0)
            break;
    }
    return count < 2 ? fit[0] : fit[random_below(ties, (uint64_t)count)];
}

/* Writes the path from `from` to `to` (padded) into the workspace, tracing back
 * from `to`. */
static inline void search_trace(struct search_workspace *w, int32_t from,
                                int32_t to, struct random *ties,
                                trace_precedes *precedes)
{
    const struct passages *p = w->passages;
    size_t count = 0;
    int32_t cell = (int32_t)passages_cell(p, to);
    w->path[count++] = cell;
    for (int32_t at = to; at != from;) {
        int d = trace_move(w, at, ties, precedes);
        at -= p->offset[d];
        cell -= p->stride[d];
        w->path[count++] = cell;
    }
    for (size_t i = 0; i < count / 2; i++) {
        int32_t swap = w->path[i];
        w->path[i] = w->path[count - 1 - i];
        w->path[count - 1 - i] = swap;
    }
    w->path_count = count;
}

#endif
