/* SPDX-License-Identifier: MIT */
/* The agents that wait for a wave. A wave that starts from one cell advances at
 * most one cell in a generation. An agent far away need not be examined until
 * the wave can be there, so the cost of a step depends only on the agents near
 * the front. */
#ifndef HAMON_PURSUIT_WAITING_H
#define HAMON_PURSUIT_WAITING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct waiting {
    size_t room;
    int32_t *awake;  /* (awake_count), ascending */
    int32_t *asleep; /* (asleep_count), by descending wake, then descending */
    int32_t *wake; /* (room): the age from which each must be examined, or 0 */
    int64_t age;   /* of the last waiting_advance */
    int32_t *merged; /* (room) */
    size_t awake_count, asleep_count;
};

/* Room for `count` agents, none of which waits. */
enum status waiting_init(struct waiting *waiting, size_t count,
                         struct error *error);
void waiting_release(struct waiting *waiting);

/* Clears the list; then all that wait are added in ascending order, each with
 * the age from which it must be examined; then they are sorted. */
void waiting_clear(struct waiting *waiting);
void waiting_add(struct waiting *waiting, size_t listener, double wake);
void waiting_order(struct waiting *waiting);

/* Moves all that must be examined at `age` to the awake list. */
void waiting_advance(struct waiting *waiting, int64_t age);

/* Is it too early for the wave to be where this listener is? */
static inline bool waiting_sleeps(const struct waiting *waiting,
                                  size_t listener)
{
    return waiting->wake[listener] > waiting->age;
}

/* Removes those of `done` (count, ascending), which are awake. */
void waiting_remove(struct waiting *waiting, const int32_t *done, size_t count);

#endif
