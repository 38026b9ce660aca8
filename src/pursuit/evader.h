/* SPDX-License-Identifier: MIT */
/* A target that runs from its pursuers. It plans every `replan` steps from the
 * cell that it is entering, and walks from cell centre to cell centre between
 * plans.
 *
 *   evade          to the neighbour where the mean of the pursuers' costs is
 *                  highest, repeatedly; it may not choose to stay
 *                  (the pincer paper, 2025, §3.2)
 *   farthest-safe  along a shortest path to the cell that the nearest pursuer
 *                  needs the longest time for, of those the evader reaches
 *                  before any pursuer, its own cell included; of several, the
 *                  nearest to itself
 *
 * Costs are Dijkstra's by the pursuit's moves and are measured from the cell
 * that a pursuer is in, or half-way between two cells from the one that it
 * walks to. Times, for farthest-safe, are costs divided by speeds. The mean is
 * taken over the pursuers that can reach the evader's cell; if there is none,
 * it stays. A cell that one of them does not reach (beyond one-way cells) has
 * an infinite threat. Ties are random or fixed (the first move, the first cell)
 * as the pursuit's are; random ones are drawn from target->random. */
#ifndef HAMON_PURSUIT_EVADER_H
#define HAMON_PURSUIT_EVADER_H

#include "base/random.h"
#include "base/status.h"
#include "pursuit/agents.h"
#include "pursuit/settings.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdint.h>

struct evader;

/* Steers the target if its motion is one of the above. Borrows all. With
 * another motion, or no target, its calls do nothing. Agents that wander are no
 * threat; agents that have captured the target still are. Release with
 * evader_release. */
enum status evader_new(const struct chase_view *view, struct evader **evader,
                       struct error *error);
void evader_release(struct evader *evader);

/* The terrain changed inside `box`. */
enum status evader_update(struct evader *evader, const struct box *box,
                          struct error *error);

/* Makes a plan if one is due at `step` and not made yet. Call it after the
 * pursuers' plans of the step. */
void evader_plan(struct evader *evader, int64_t step);

/* Moves the target one step along its plan. */
void evader_move(struct evader *evader);

/* For a restart. */
void evader_state(struct evader *evader, struct state *state);

#endif
