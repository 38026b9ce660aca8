/* SPDX-License-Identifier: MIT */
/* Agents with a heading walk straight along it. */
#ifndef HAMON_PURSUIT_HEADING_WALK_H
#define HAMON_PURSUIT_HEADING_WALK_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "world/terrain.h"

#include <stdbool.h>

struct heading_walk;

/* Moves the agents of METHOD_LEE that steer by the emission, and if `waves` is
 * true those of METHOD_WAVE. Borrows the agents and the terrain. Release with
 * heading_walk_release. */
enum status heading_walk_new(struct agents *agents,
                             const struct terrain *terrain, bool waves,
                             struct heading_walk **walk, struct error *error);
void heading_walk_release(struct heading_walk *walk);

/* Moves each agent one step. An agent that was blocked in all directions is not
 * tried again until it turns or the map changes (`retry`). */
void heading_walk_move(struct heading_walk *walk, bool retry);

#endif
