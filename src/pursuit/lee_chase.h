/* SPDX-License-Identifier: MIT */
/* Agents that steer by Lee's fronts, emitted when the waves are. On its
 * arrival an agent heads to the lowest reached of its neighbours; or it steers
 * at every step by the step counts (pursuit/trail_walk.h). */
#ifndef HAMON_PURSUIT_LEE_CHASE_H
#define HAMON_PURSUIT_LEE_CHASE_H

#include "pursuit/chase.h"

struct lee_chase;

/* Ties are broken by the order of moves. Call lee_chase_listen before move. The
 * functions do nothing if the chase is NULL: there are no agents of Lee's
 * front. */
extern const struct chase_kind lee_chase;

/* Emits a new front from `cell` as wave `wave`, at generation `step`. */
void lee_chase_emit(struct lee_chase *chase, int wave, size_t cell,
                    int64_t step);

/* Advances every front by one cell, to generation `step`; the agents that it
 * reaches react, the oldest front first. The arrival's amplitude is the number
 * of steps from the source. */
void lee_chase_listen(struct lee_chase *chase, int64_t step,
                      struct agent_arrivals *arrivals);

/* lee_chase_sent: the step of the wave's last front, or −1. lee_chase_received:
 * has every agent of METHOD_LEE received it or a newer one, or has it ended? */
int64_t lee_chase_sent(const struct lee_chase *chase, int wave);
bool lee_chase_received(const struct lee_chase *chase, int wave);

#endif
