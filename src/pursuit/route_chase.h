/* SPDX-License-Identifier: MIT */
/* Agents that follow paths of the searches: every `replan` steps a search from
 * the cell that is being entered to the target's cell, in between from cell
 * centre to cell centre. */
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

/* Is there a search behind the method, whose paths its agents follow? */
bool route_chase_follows(enum agent_method method);

/* Steers the agents of the methods dijkstra, astar, fast-marching and
 * dstar-lite, after the target or, where they wander, from one random goal to
 * the next: another is drawn at the first plan behind an arrival, or behind a
 * plan that found no way. Borrows all. With no such agent its calls do nothing.
 */
enum status route_chase_new(const struct chase_view *view,
                            struct route_chase **chase, struct error *error);
void route_chase_release(struct route_chase *chase);

/* The terrain changed inside `box`: passages and searches take it over. */
enum status route_chase_update(struct route_chase *chase, const struct box *box,
                               struct error *error);

/* Makes the next plan that is due at `step` and not made yet; false where
 * there is none left. Goals are drawn from one stream of each agent's own,
 * ties, where they are random, from another. */
bool route_chase_plan(struct route_chase *chase, int64_t step,
                      struct agent_plan *plan);

/* Moves each of its agents a step along its route; behind the end of the route
 * straight to the target. Without a path an agent stays, stuck. */
void route_chase_move(struct route_chase *chase);

/* For a restart. D* Lite begins afresh then, to the same distances. */
void route_chase_state(struct route_chase *chase, struct state *state);

#endif
