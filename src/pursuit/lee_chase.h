/* SPDX-License-Identifier: MIT */
/* Agents that steer by Lee's fronts, emitted when the waves are. On its
 * arrival an agent heads to the lowest reached of its neighbours; or it steers
 * at every step by the step counts (pursuit/trail_walk.h). */
#ifndef HAMON_PURSUIT_LEE_CHASE_H
#define HAMON_PURSUIT_LEE_CHASE_H

#include "pursuit/chase.h"
#include "pursuit/needs.h"

struct lee_chase;

/* The chase of the kind lee_chase; ties are broken by the order of moves. If it
 * is NULL, because there are no such agents, the functions do nothing. */

/* Emits a new front from `cell` as wave `wave`, at generation `step`. */
void lee_chase_emit(struct lee_chase *chase, int wave, size_t cell,
                    int64_t step);

/* Advances every front by one cell, to generation `step`; the agents that it
 * reaches react, the oldest front first. The arrival's amplitude is the number
 * of steps from the source. Call it before the chase's move. */
void lee_chase_listen(struct lee_chase *chase, int64_t step,
                      struct agent_arrivals *arrivals);

/* lee_chase_sent: the step of the wave's last front, or −1. lee_chase_needs: as
 * wave_chase_needs. */
int64_t lee_chase_sent(const struct lee_chase *chase, int wave);
const struct needs *lee_chase_needs(struct lee_chase *chase,
                                    const uint8_t *cut_off);

#endif
