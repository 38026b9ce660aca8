/* SPDX-License-Identifier: MIT */
/* The pursuit of a run: agents of all methods, and one target.
 *
 * It takes a terrain, the waves of the run and the settings of agents and
 * target. A run calls it in this order at each generation: which waves are due,
 * the plans, the step. It returns positions, headings and states, and the
 * events of the step: arrivals and captures. */
#ifndef HAMON_PURSUIT_PURSUIT_H
#define HAMON_PURSUIT_PURSUIT_H

#include "base/ranks.h"
#include "base/status.h"
#include "pursuit/agents.h"
#include "search/relay.h"
#include "wave/arrival/arrival.h"
#include "wave/wave.h"
#include "world/split.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct pursuit;

/* The data of a pursuit. Borrowed; must exist longer than the pursuit. */
struct pursuit_view {
    const struct terrain *terrain;
    const struct agent_settings *agents;
    size_t agent_count; /* entries */
    uint64_t seed;      /* of every random choice; see random_stream */
    const struct target_settings *target; /* (wave.count), or NULL if no wave
                                           * runs */
    const struct pursuit_settings *pursuit;
    const struct arrival_settings *arrival;
    const struct wave_settings *wave;
    struct wave *const *waves; /* (wave.count), or NULL if no wave runs */
    struct team *team;
    /* If ranks share the map, else NULL. `held` is the part of the terrain that
     * this rank has, for the agents that steer by waves. The first rank has all
     * other agents, the target, and `terrain`; the other ranks read that in
     * pursuit_new only. */
    struct ranks *ranks;
    const struct share *share;
    const struct terrain *held;
    struct halo *halo;
};

/* Puts agents and target at their places. Release with pursuit_release. */
enum status pursuit_new(const struct pursuit_view *view,
                        struct pursuit **pursuit, struct error *error);
void pursuit_release(struct pursuit *pursuit);

/* Is an emission of wave `wave` due at `step`: of the waves, of Lee's fronts?
 * restart lifetime: wave i at ⌊iT/n⌋ + mT. on-arrival: at 0, after an arrival
 * of its own kind, and after T steps without an arrival. received: wave i at
 * ⌊iT/n⌋, and then at least T steps after its last emission and at least T/n
 * after that of any wave. A wave that an agent needs stays (pursuit/needs.h,
 * wave_chase_needs); if k of the n waves stay, the others are emitted again
 * after (n − k)·T/n steps. Collective. */
bool pursuit_wave_due(struct pursuit *pursuit, int wave, int64_t step);
bool pursuit_lee_due(struct pursuit *pursuit, int wave, int64_t step);

/* pursuit_wave_emitted: the wave was emitted from `cell`. pursuit_lee_emit:
 * emits Lee's front from `cell`. */
void pursuit_wave_emitted(struct pursuit *pursuit, int wave, size_t cell);
void pursuit_lee_emit(struct pursuit *pursuit, int wave, size_t cell,
                      int64_t step);

/* The terrain is about to change. */
void pursuit_catch_up(struct pursuit *pursuit);

/* The terrain changed inside `box`. */
enum status pursuit_update(struct pursuit *pursuit, const struct box *box,
                           struct error *error);

/* Makes the next plan that is due at `step`; false if all are made. Call it
 * until then, before pursuit_step. */
bool pursuit_plan(struct pursuit *pursuit, int64_t step,
                  struct agent_plan *plan);

/* The waves have been stepped to generation `step`: finds arrivals, moves
 * agents and target, and lets the agents that are near enough capture. At step
 * 0 only captures. If ranks share the world, all call it together. */
enum status pursuit_step(struct pursuit *pursuit, int64_t step,
                         struct error *error);

/* Is the stop rule met? False if no agent pursues. */
bool pursuit_over(const struct pursuit *pursuit);

const struct agents *pursuit_agents(const struct pursuit *pursuit);
const struct target *pursuit_target(const struct pursuit *pursuit);

/* The counters of the agents of method relay since the beginning. */
const struct relay_counters *pursuit_relay(const struct pursuit *pursuit);

/* The arrivals of the last pursuit_step, and the agents that captured in it. */
const struct agent_arrivals *pursuit_arrivals(const struct pursuit *pursuit);
const int *pursuit_captures(const struct pursuit *pursuit, size_t *count);

/* For a restart. Call pursuit_state_ready before saving: if ranks share the
 * world, each sends the first rank which agents reacted to which wave. */
enum status pursuit_state_ready(struct pursuit *pursuit, struct error *error);
void pursuit_state(struct pursuit *pursuit, struct state *state);

#endif
