/* SPDX-License-Identifier: MIT */
/* Agents that follow relay nodes (search/relay.h), 2D: as printed in the
 * article, or by the second variant (METHOD_RELAY_COMPLETE). With goal "random"
 * they wander: at the goal, or if no path was found, another free cell is
 * drawn. If the target is the goal, they take its new cell every `replan`
 * steps; the second variant keeps its route while that cell stays the same.
 *
 * They walk the legs between nodes from cell centre to cell centre. If a leg
 * turns out not to be straight, they search again from their position. Plans
 * are therefore reported at the next multiple of `replan`: the nodes of the
 * last route, and the number of searches since then instead of expansions. */
#ifndef HAMON_PURSUIT_RELAY_WALK_H
#define HAMON_PURSUIT_RELAY_WALK_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "pursuit/settings.h"
#include "search/relay.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct relay_walk;

/* Is this one of the two variants? */
bool relay_walk_steers(enum agent_method method);

/* Steers the agents of these methods. Borrows all. With no such agent its calls
 * do nothing. Release with relay_walk_release. */
enum status relay_walk_new(const struct chase_view *view,
                           struct relay_walk **walk, struct error *error);
void relay_walk_release(struct relay_walk *walk);

/* The terrain changed inside `box`. */
enum status relay_walk_update(struct relay_walk *walk, const struct box *box,
                              struct error *error);

/* Reports the next walker's plan that is due at `step`; false if none is
 * left. */
bool relay_walk_plan(struct relay_walk *walk, int64_t step,
                     struct agent_plan *plan);

/* Moves each of its agents one step. Each agent draws its goals from its own
 * stream. */
void relay_walk_move(struct relay_walk *walk);

/* Summed over all walkers since the beginning. */
const struct relay_counters *relay_walk_counters(const struct relay_walk *walk);

/* For a restart. */
void relay_walk_state(struct relay_walk *walk, struct state *state);

#endif
