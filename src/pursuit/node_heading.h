/* SPDX-License-Identifier: MIT */
/* The heading of a cell by the choice among nodes (pursuit/node_walk.h): the
 * direction of an agent that steers at every step and is at the cell's centre.
 * It is defined if a node is in sight, even if the detector's gradient lacks
 * two free neighbours. */
#ifndef HAMON_PURSUIT_NODE_HEADING_H
#define HAMON_PURSUIT_NODE_HEADING_H

#include "pursuit/trail.h"

#include <stdbool.h>
#include <stddef.h>

/* A unit vector from the cell's centre to the node chosen there, for the newest
 * emission of the trail that has arrived; `sight` in cells. False, and
 * `heading` all 0: in a wall, before the first arrival, and if no node in sight
 * has a larger potential, as at the source. */
bool node_heading(const struct trail *trail, double sight, size_t cell,
                  double heading[GRID_AXES]);

#endif
