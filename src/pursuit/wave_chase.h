/* SPDX-License-Identifier: MIT */
/* Agents that steer by the waves (Watanabe 2021, §4–5; Kumagai 2024, §2.2). An
 * agent reacts once to each emission and walks straight in between; or it
 * steers at every step by the potential that the newest emission to reach its
 * cell left in the cells (pursuit/node_walk.h). */
#ifndef HAMON_PURSUIT_WAVE_CHASE_H
#define HAMON_PURSUIT_WAVE_CHASE_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "pursuit/needs.h"
#include "wave/arrival/arrival.h"
#include "wave/wave.h"
#include "world/state.h"

#include <stddef.h>
#include <stdint.h>

struct wave_chase;

/* The data of a chase. Borrowed; must exist longer than the chase. */
struct wave_chase_view {
    struct agents *agents; /* those of METHOD_WAVE are steered */
    const struct terrain *terrain;
    double sight;              /* R of steering at every step, cells */
    struct wave *const *waves; /* (wave.count) */
    const struct wave_settings *wave;
    const struct arrival_settings *arrival;
    struct team *team;
    /* If ranks share the map: terrain is this rank's part, and only agents in
     * its own block are tested. NULL: all agents are. */
    const struct share *share;
    struct halo *halo;
};

/* Release with wave_chase_release. */
enum status wave_chase_new(const struct wave_chase_view *view,
                           struct wave_chase **chase, struct error *error);
void wave_chase_release(struct wave_chase *chase);

/* Wave `wave` was just emitted from `cell`: every agent may react to it. */
void wave_chase_emitted(struct wave_chase *chase, int wave, size_t cell);

/* Call it before the walls change: computes the generations that were
 * postponed, with the present walls. */
void wave_chase_catch_up(struct wave_chase *chase);

/* The walls inside `box` changed; and somewhere in the world. */
void wave_chase_update(struct wave_chase *chase, const struct box *box);
void wave_chase_look_anew(struct wave_chase *chase);

/* The waves are at generation `step`: finds arrivals, appends them to
 * `arrivals` and turns the agents that react. Of several at once the oldest
 * emission comes first, so the newest sets the heading. Captured agents do not
 * react. */
void wave_chase_listen(struct wave_chase *chase, int64_t step,
                       struct agent_arrivals *arrivals);

/* Call it after wave_chase_listen: moves the agents that steer at every step;
 * if ranks share the world, those in the own block. */
void wave_chase_walk(struct wave_chase *chase);

/* Which waves stay (needs.h) for agents that are not cut off (a byte for
 * each agent): those that they need, and those whose emission before the last
 * one they follow. NULL: there are no agents. Collective. */
const struct needs *wave_chase_needs(struct wave_chase *chase,
                                     const uint8_t *cut_off);

/* Data that one rank sends to the others: the agent's watches of all waves, and
 * the node that it holds, written to memory of wave_chase_watch_bytes, and read
 * back. */
size_t wave_chase_watch_bytes(const struct wave_chase *chase);
void wave_chase_save_watches(const struct wave_chase *chase, int agent,
                             void *memory);
void wave_chase_load_watches(struct wave_chase *chase, int agent,
                             const void *memory);

/* Records an arrival that another rank found as if it were found here. */
void wave_chase_take_arrival(struct wave_chase *chase,
                             const struct agent_arrival *arrival);

/* Sorts arrivals that several ranks found into the order of one process. */
void wave_chase_order(const struct wave_chase *chase,
                      struct agent_arrivals *arrivals);

/* For a restart. */
void wave_chase_state(struct wave_chase *chase, struct state *state);

#endif
