/* SPDX-License-Identifier: MIT */
/* Lee's front (1961), the papers' comparison: the automaton that spreads a
 * cell a step from the target (Watanabe 2021, §2, Fig. 1), emitted like a
 * wave. It is the light cone of a wave, used for steering. */
#ifndef HAMON_PURSUIT_LEE_H
#define HAMON_PURSUIT_LEE_H

#include "base/status.h"
#include "wave/arrival/light_cone.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct lee_front {
    struct light_cone cone; /* when the front reached a cell */
    int64_t emitted;        /* the step of the last emission, or −1 */
};

/* Borrows terrain. Release with lee_front_release. */
enum status lee_front_init(struct lee_front *front,
                           const struct terrain *terrain, struct error *error);
void lee_front_release(struct lee_front *front);

/* Clears the front and starts it from a cell (not from a wall). */
void lee_front_emit(struct lee_front *front, size_t cell, int64_t step);

/* Advances the front by one cell to its free neighbours, 4 in 2D and 6 in
 * 3D. */
void lee_front_step(struct lee_front *front);

/* The walls inside `box` changed: closed cells become unreached, and the front
 * can enter opened ones. */
void lee_front_update(struct lee_front *front, const struct box *box);

/* The steps of the front to the cell; if no event changes the map, the length
 * of a shortest path along the axes. −1 if it has not arrived. */
int32_t lee_front_distance(const struct lee_front *front, size_t cell);

/* The direction to the lowest reached of the cell's 8 (26) neighbours, as a
 * unit vector; a diagonal counts only where no corner is cut; ties are broken
 * in the order E W S N (D U), then the diagonals, mirrored on the axes whose
 * bit of `mirror` is set (bit 0: x). False if the front has not arrived, or no
 * neighbour is lower. */
bool lee_front_heading(const struct lee_front *front, size_t cell,
                       unsigned mirror, double heading[GRID_AXES]);

void lee_front_state(struct lee_front *front, struct state *state);

#endif
