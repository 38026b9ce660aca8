/* SPDX-License-Identifier: MIT */
/* The initial positions of agents and target. */
#ifndef HAMON_PURSUIT_PLACES_H
#define HAMON_PURSUIT_PLACES_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "world/terrain.h"

/* Sets the positions of target and agents from their places, rounded as in
 * motion.h. Random places are drawn from streams of agents->seed, one for each:
 * the target's among the free cells, each agent's among the free cells from
 * which the target can be reached by steps along the axes, one-way cells
 * respected. STATUS_INPUT if there is none. */
enum status places_fill(struct agents *agents, struct target *target,
                        const struct terrain *terrain, struct error *error);

#endif
