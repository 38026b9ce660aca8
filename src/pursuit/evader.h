/* SPDX-License-Identifier: MIT */
/* A target that runs from its pursuers, a plan every `replan` steps from the
 * cell that it is entering, and from cell centre to cell centre in between.
 *
 *   evade          to the neighbour where the mean of the pursuers' costs is
 *                  highest, and so on from there; staying is not offered
 *                  (the pincer paper, 2025, §3.2)
 *   farthest-safe  along a shortest path to the cell that the nearest pursuer
 *                  needs longest for, of those that it reaches before any
 *                  pursuer, itself included; the nearest such cell to itself
 *
 * Costs are Dijkstra's by the pursuit's moves and measure from the cell that a
 * pursuer stands in, half-way between two cells from the one that it walks to;
 * times, for farthest-safe, are costs over speeds. For the mean only pursuers
 * count that can come to the evader's own cell; if there is none, it stays. A
 * cell that one of them does not reach (behind one-way cells) is infinitely
 * good. Ties are
 * random or fixed (the first move, the first cell) as the pursuit's are; random
 * ones are drawn from target->random. */
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

/* Steers the target where its motion is one of the above. Borrows all. With
 * another motion, or no target, its calls do nothing. Agents that wander are
 * nobody to run from, those that hold the target still are. Release with
 * evader_release. */
enum status evader_new(const struct chase_view *view, struct evader **evader,
                       struct error *error);
void evader_release(struct evader *evader);

/* The terrain changed inside `box`. */
enum status evader_update(struct evader *evader, const struct box *box,
                          struct error *error);

/* Plans, where a plan is due at `step` and not made yet. To be called behind
 * the pursuers' plans of the step. */
void evader_plan(struct evader *evader, int64_t step);

/* Moves the target a step along its plan. */
void evader_move(struct evader *evader);

/* For a restart. */
void evader_state(struct evader *evader, struct state *state);

#endif
