/* SPDX-License-Identifier: MIT */
/* Where agents and target stand at first. */
#ifndef HAMON_PURSUIT_PLACES_H
#define HAMON_PURSUIT_PLACES_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "world/terrain.h"

/* Puts target and agents where their places say, rounded as motion.h has it.
 * Random places are drawn from streams of agents->seed, one each: the target's
 * among the free cells, each agent's among the free cells from which the target
 * can be reached by steps along the axes, one-way cells obeyed. STATUS_INPUT
 * where there is none. */
enum status places_fill(struct agents *agents, struct target *target,
                        const struct terrain *terrain, struct error *error);

#endif
