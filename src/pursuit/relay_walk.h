/* SPDX-License-Identifier: MIT */
/* Agents that go by relay nodes (search/relay.h), 2D. With goal "random" they
 * wander: at the goal, or where no way was found, another free cell is drawn.
 * With the target for a goal they ask again every `replan` steps.
 *
 * They walk the legs between nodes from cell centre to cell centre, and search
 * where they stand when a leg turns out not to be straight; so a plan is told
 * at the next multiple of `replan`: the last route that was searched for, as
 * its nodes, with the number of searches since in place of expansions. */
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

/* Steers the agents of METHOD_RELAY. Borrows all. With no such agent its calls
 * do nothing. Release with relay_walk_release. */
enum status relay_walk_new(struct agents *agents, const struct target *target,
                           const struct terrain *terrain,
                           const struct pursuit_settings *settings,
                           struct relay_walk **walk, struct error *error);
void relay_walk_release(struct relay_walk *walk);

/* The terrain changed inside `box`. */
enum status relay_walk_update(struct relay_walk *walk, const struct box *box,
                              struct error *error);

/* Tells the next walker's plan that is due at `step`; false where there is
 * none left. */
bool relay_walk_plan(struct relay_walk *walk, int64_t step,
                     struct agent_plan *plan);

/* Moves each of its agents a step. Each draws its goals from a stream of its
 * own. */
void relay_walk_move(struct relay_walk *walk);

/* Summed over all walkers since the beginning. */
const struct relay_counters *relay_walk_counters(const struct relay_walk *walk);

/* For a restart. */
void relay_walk_state(struct relay_walk *walk, struct state *state);

#endif
