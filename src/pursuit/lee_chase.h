/* SPDX-License-Identifier: MIT */
/* Agents that steer by Lee's fronts, emitted when the waves are. On its
 * arrival an agent heads to the lowest reached of its neighbours; or it steers
 * at every step by the step counts (pursuit/trail_walk.h). */
#ifndef HAMON_PURSUIT_LEE_CHASE_H
#define HAMON_PURSUIT_LEE_CHASE_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "wave/wave.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdint.h>

struct lee_chase;

/* Steers the agents of METHOD_LEE; ties are broken by the order of moves.
 * Borrows the contents of the view. With no such agent it takes no memory and
 * its calls do nothing. */
enum status lee_chase_new(const struct chase_view *view,
                          struct lee_chase **chase, struct error *error);
void lee_chase_release(struct lee_chase *chase);

/* Emits a new front from `cell` as wave `wave`, at generation `step`. */
void lee_chase_emit(struct lee_chase *chase, int wave, size_t cell,
                    int64_t step);

/* The walls inside `box` changed. */
void lee_chase_update(struct lee_chase *chase, const struct box *box);

/* Advances every front by one cell, to generation `step`; the agents that it
 * reaches react, the oldest front first. The arrival's amplitude is the number
 * of steps from the source. */
void lee_chase_listen(struct lee_chase *chase, int64_t step,
                      struct agent_arrivals *arrivals);

/* Call it after lee_chase_listen: moves the agents that steer at every step. */
void lee_chase_walk(struct lee_chase *chase);

/* lee_chase_sent: the step of the wave's last front, or −1. lee_chase_received:
 * has every agent of METHOD_LEE received it or a newer one, or has it ended? */
int64_t lee_chase_sent(const struct lee_chase *chase, int wave);
bool lee_chase_received(const struct lee_chase *chase, int wave);

/* For a restart. */
void lee_chase_state(struct lee_chase *chase, struct state *state);

#endif
