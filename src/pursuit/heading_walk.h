/* SPDX-License-Identifier: MIT */
/* Agents with a heading go straight on along it. */
#ifndef HAMON_PURSUIT_HEADING_WALK_H
#define HAMON_PURSUIT_HEADING_WALK_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "world/terrain.h"

#include <stdbool.h>

struct heading_walk;

/* Those of METHOD_LEE that steer by the emission walk so, and where `waves`
 * those of METHOD_WAVE. Borrows
 * the agents and the terrain. Release with heading_walk_release. */
enum status heading_walk_new(struct agents *agents,
                             const struct terrain *terrain, bool waves,
                             struct heading_walk **walk, struct error *error);
void heading_walk_release(struct heading_walk *walk);

/* A step of each that moves. An agent that was blocked every way is blocked
 * again, until it turns (and moves by that) or the map changes: `retry`. */
void heading_walk_move(struct heading_walk *walk, bool retry);

#endif
