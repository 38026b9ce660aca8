/* SPDX-License-Identifier: MIT */
/* The trajectories' rules: positions are on the map, no step is longer than the
 * speed allows, and no step ends in a wall. */
#ifndef HAMON_TESTS_ANALYSIS_RULES_AGENTS_H
#define HAMON_TESTS_ANALYSIS_RULES_AGENTS_H

#include "analysis/check/finding.h"
#include "world/grid.h"

/* The positions of one agent in two rows. `before` is not used if `steps` is 0:
 * the first row. */
struct stride {
    int agent; /* or SPOT_TARGET */
    double before[GRID_AXES], now[GRID_AXES];
    int64_t step, steps; /* of `now`, and since `before` */
    double speed;        /* cells a step; NAN if unknown */
};

struct agent_findings {
    struct finding *range, *speed, *walls;
};

/* `wall` is the map in force while the agent walked, NULL if it changed between
 * the rows. An agent that did not move may be inside a wall, because an event
 * closed its cell. So may one in the first row, and one that leaves such a
 * wall. */
void check_stride(const struct grid *grid, const uint8_t *wall,
                  const struct stride *stride,
                  const struct agent_findings *findings);

#endif
