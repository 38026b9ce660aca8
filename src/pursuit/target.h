/* SPDX-License-Identifier: MIT */
/* How the target moves. */
#ifndef HAMON_PURSUIT_TARGET_H
#define HAMON_PURSUIT_TARGET_H

#include "pursuit/agents.h"
#include "world/terrain.h"

/* One step of the target's motion:
 *   still      stays
 *   random     a uniform direction held 20–79 steps, redrawn when blocked
 *   waypoints  straight to each in turn, then from the first again; a wall in
 *              between holds it up as it holds any mover
 * Evaders are moved by their own rooms. Motion random draws from
 * target->random. */
void target_step(struct target *target, const struct terrain *terrain);

#endif
