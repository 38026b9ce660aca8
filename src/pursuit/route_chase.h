/* SPDX-License-Identifier: MIT */
/* Agents that follow paths of the searches: every `replan` steps a search from
 * the cell that is being entered to the target's cell; between searches they
 * walk from cell centre to cell centre. */
#ifndef HAMON_PURSUIT_ROUTE_CHASE_H
#define HAMON_PURSUIT_ROUTE_CHASE_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "pursuit/settings.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct route_chase;

/* Does the method have a search whose paths its agents follow? */
bool route_chase_follows(enum agent_method method);

/* Steers the agents of the methods dijkstra, astar, fast-marching and
 * dstar-lite, towards the target or, if they wander, from one random goal to
 * the next: another is drawn at the first plan after the goal was reached, or
 * after a plan that found no path. Borrows all. With no such agent its calls do
 * nothing. */
enum status route_chase_new(const struct chase_view *view,
                            struct route_chase **chase, struct error *error);
void route_chase_release(struct route_chase *chase);

/* The terrain changed inside `box`: updates passages and searches. */
enum status route_chase_update(struct route_chase *chase, const struct box *box,
                               struct error *error);

/* Makes the next plan that is due at `step` and not made yet; false if none is
 * left. Each agent draws goals from one stream of its own, and random ties from
 * another. */
bool route_chase_plan(struct route_chase *chase, int64_t step,
                      struct agent_plan *plan);

/* Moves each of its agents one step along its route; after the end of the route
 * straight to the target. An agent without a path stays in place, stuck. */
void route_chase_move(struct route_chase *chase);

/* For a restart. D* Lite then begins anew, and finds the same distances. */
void route_chase_state(struct route_chase *chase, struct state *state);

#endif
