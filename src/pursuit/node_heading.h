/* SPDX-License-Identifier: MIT */
/* The heading of a cell by the choice among nodes (pursuit/node_walk.h): the
 * direction in which an agent walks that steers at every step and stands on the
 * cell's own node. Where the detector's gradient has no two free neighbours to
 * be taken from, this has a node in sight. */
#ifndef HAMON_PURSUIT_NODE_HEADING_H
#define HAMON_PURSUIT_NODE_HEADING_H

#include "pursuit/trail.h"

#include <stdbool.h>
#include <stddef.h>

/* A unit vector from the cell's centre to the node that is chosen there, by the
 * newest of the trail's emissions that has arrived; `sight` in cells. False,
 * and `heading` all 0: in a wall, before the first arrival, and where no node
 * in sight has a larger potential, as at the source. */
bool node_heading(const struct trail *trail, double sight, size_t cell,
                  double heading[GRID_AXES]);

#endif
