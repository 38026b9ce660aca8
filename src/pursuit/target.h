/* SPDX-License-Identifier: MIT */
/* How the target moves. */
#ifndef HAMON_PURSUIT_TARGET_H
#define HAMON_PURSUIT_TARGET_H

#include "pursuit/agents.h"
#include "world/terrain.h"

/* The target stands at its place `at`, at the beginning: half-way between cells
 * it is in the upper one, ⌊x + ½⌋, or if that is a wall in a free one. */
void target_stand(struct target *target, const struct terrain *terrain);

/* One step of the target's motion:
 *   still      stays
 *   random     a uniform direction held 20–79 steps, redrawn when blocked
 *   waypoints  straight to each in turn, then from the first again; a wall in
 *              between holds it up as it holds any mover
 * Evaders are moved by their own rooms, before. Motion random draws from
 * target->random. Sets the cell that the target is in, which waves start from
 * and searches lead to: half-way between two cells it is the one that the
 * target was in before. */
void target_step(struct target *target, const struct terrain *terrain);

#endif
