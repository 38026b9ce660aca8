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

#include "pursuit/chase.h"
#include "search/relay.h"

/* Summed over all walkers since the beginning; zeros for NULL. */
const struct relay_counters *relay_walk_counters(const void *walk);

#endif
