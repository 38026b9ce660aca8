/* SPDX-License-Identifier: MIT */
/* The cells from which an agent that wanders draws its goals: all free ones. */
#ifndef HAMON_PURSUIT_GOALS_H
#define HAMON_PURSUIT_GOALS_H

#include "base/random.h"
#include "base/status.h"
#include "pursuit/agents.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct goals {
    int32_t *cells;
    size_t count;
};

/* Allocates room for every cell of the terrain and lists the free ones. Release
 * with goals_release. */
enum status goals_init(struct goals *goals, const struct terrain *terrain,
                       struct error *error);
void goals_release(struct goals *goals);

/* Lists the cells that are free now. Allocates nothing. */
void goals_list(struct goals *goals, const struct terrain *terrain);

/* The stream from which an agent draws its goals, the same for every method. */
void goals_stream(struct random *random, const struct agents *agents,
                  size_t agent);

/* A free cell other than `from`; false if there is none. */
bool goals_draw(const struct goals *goals, size_t from, struct random *random,
                size_t *goal);

#endif
