/* SPDX-License-Identifier: MIT */
/* What the pincer keeps: shared by its plans (pincer.c) and by the search that
 * makes one (pincer_search.c). */
#ifndef HAMON_SEARCH_PINCER_STATE_H
#define HAMON_SEARCH_PINCER_STATE_H

#include "search/bucket_queue.h"
#include "search/pincer.h"

struct pincer {
    const struct passages *passages;
    struct search_workspace workspace; /* of the trace: path and passages */
    struct bucket_queue queue;
    struct bucket_node *nodes; /* padded */
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

static inline enum pincer_color pincer_color_at(const struct pincer *p,
                                                int32_t cell)
{
    uint32_t color = p->color[cell];
    return color / 4 == p->round && cell != p->goal
               ? (enum pincer_color)(color % 4)
               : PINCER_WHITE;
}

/* Searches from start to goal round the colours that are there, and writes the
 * path into the workspace; false where there is no way. */
bool pincer_search(struct pincer *pincer, struct random *ties);

#endif
