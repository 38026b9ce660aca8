/* SPDX-License-Identifier: MIT */
/* Agents that follow paths of the searches: every `replan` steps a search from
 * the cell that is being entered to the target's cell; between searches they
 * walk from cell centre to cell centre, and after the end of the path straight
 * to the target. An agent without a path stays in place, stuck.
 *
 * Agents that wander go from one random goal to the next: another is drawn at
 * the first plan after the goal was reached, or after a plan that found no
 * path. Each draws goals from one stream of its own, and random ties from
 * another. After a restart D* Lite begins anew, and finds the same
 * distances. */
#ifndef HAMON_PURSUIT_ROUTE_CHASE_H
#define HAMON_PURSUIT_ROUTE_CHASE_H

#include "pursuit/chase.h"

extern const struct chase_kind route_chase;

#endif
