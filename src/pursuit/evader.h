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

#include "pursuit/chase.h"

/* Steers the target if its motion is one of the above. Agents that wander are
 * no threat; agents that have captured the target still are. Call its plan
 * after those of the pursuers: it returns false. */
extern const struct chase_kind evasion;

#endif
