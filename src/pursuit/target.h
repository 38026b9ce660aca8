/* SPDX-License-Identifier: MIT */
/* The motion of the target. */
#ifndef HAMON_PURSUIT_TARGET_H
#define HAMON_PURSUIT_TARGET_H

#include "pursuit/agents.h"
#include "world/terrain.h"

/* Places the target at its initial position `at`: half-way between cells it is
 * in the upper one, ⌊x + ½⌋, or if that is a wall in a free one. */
void target_stand(struct target *target, const struct terrain *terrain);

/* One step of the target's motion:
 *   still      stays
 *   random     a uniform direction kept 20–79 steps, redrawn when blocked
 *   waypoints  straight to each in turn, then from the first again; a wall in
 *              between blocks it as it blocks an agent
 * Evading targets are moved before, by their own modules. Motion random draws
 * from target->random. Sets the cell of the target, the source of waves and
 * goal of searches: half-way between two cells it is the one that the target
 * was in before. */
void target_step(struct target *target, const struct terrain *terrain);

#endif
