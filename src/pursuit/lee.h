/* SPDX-License-Identifier: MIT */
/* Lee's front (1961), the papers' comparison: a breadth-first search that
 * spreads a cell a step from the target, emitted like a wave. */
#ifndef HAMON_PURSUIT_LEE_H
#define HAMON_PURSUIT_LEE_H

#include "base/state.h"
#include "base/status.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct lee_front;

/* Borrows terrain. Release with lee_front_release. */
enum status lee_front_new(const struct terrain *terrain,
                          struct lee_front **front, struct error *error);
void lee_front_release(struct lee_front *front);

/* Clears the front and starts it from a cell (a wall starts nothing). */
void lee_front_emit(struct lee_front *front, size_t cell, int64_t step);

/* The step of the last emission, or −1. */
int64_t lee_front_emitted(const struct lee_front *front);

/* Every cell at the rim reaches its free neighbours, 4 in 2D and 6 in 3D. */
void lee_front_step(struct lee_front *front);

/* Steps from the source, or −1 where the front has not come. */
int32_t lee_front_distance(const struct lee_front *front, size_t cell);

/* The way to the lowest reached of the 8 (26) neighbours of the cell at `at`,
 * as a unit vector; a diagonal counts only where no corner is cut; ties go
 * E W S N (D U), then to the diagonals. False where no neighbour is lower. */
bool lee_front_heading(const struct lee_front *front,
                       const double at[GRID_AXES], double heading[GRID_AXES]);

/* The front, for a restart. */
void lee_front_state(struct lee_front *front, struct state *state);

#endif
