/* SPDX-License-Identifier: MIT */
/* The state of the pincer, shared by its plans (pincer.c), for any weights, and
 * by the faster search if every move weighs a few whole steps (pincer_steps.c).
 * Both give the same plans, random ties included. */
#ifndef HAMON_SEARCH_PINCER_STATE_H
#define HAMON_SEARCH_PINCER_STATE_H

#include "search/bucket_queue.h"
#include "search/pincer.h"

/* Of pincer_steps.c: see there. */
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

/* If pincer_steps_suit: searches from start to goal round the coloured cells,
 * writes the path into the workspace and its cost; false if there is no
 * path. */
bool pincer_steps_search(struct pincer *pincer, struct random *ties,
                         double *cost);
bool pincer_steps_suit(const struct pincer *pincer);

/* Allocates enough stacks for the present weights of the passages. */
enum status pincer_steps_init(struct pincer *pincer, struct error *error);
void pincer_steps_release(struct pincer_steps *steps);

#endif
