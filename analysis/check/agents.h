/* SPDX-License-Identifier: MIT */
/* The trajectories' rules: positions lie on the map, no step is longer than
 * the speed allows, and no step ends in a wall. */
#ifndef HAMON_ANALYSIS_CHECK_AGENTS_H
#define HAMON_ANALYSIS_CHECK_AGENTS_H

#include "analysis/check/finding.h"
#include "world/grid.h"

/* The agent number that stands for the target. */
enum { SPOT_TARGET = -2 };

/* Where one agent stood in two rows. A part of `before` means nothing where
 * `steps` is 0: the first row. */
struct stride {
    int agent; /* or SPOT_TARGET */
    double before[GRID_AXES], now[GRID_AXES];
    int64_t step, steps; /* of `now`, and since `before` */
    double speed;        /* cells a step; NAN where it is not known */
};

struct agent_findings {
    struct finding *range, *speed, *walls;
};

/* `wall` holds the map that was in force while the agent walked, NULL where it
 * changed between the rows. An agent that stayed may stand in a wall: an event
 * caught it there. So may one in the first row, and one that leaves such a
 * wall.
 */
void check_stride(const struct grid *grid, const uint8_t *wall,
                  const struct stride *stride,
                  const struct agent_findings *findings);

#endif
