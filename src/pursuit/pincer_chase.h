/* SPDX-License-Identifier: MIT */
/* Agents that plan together, by searches (search/pincer.h) or by waves
 * (pursuit/wave_pincer.h): every `replan` steps all that still pursue plan in
 * turn, the nearest to the target first. Each plans from the cell that it is
 * entering, and avoids the paths of those before it. */
#ifndef HAMON_PURSUIT_PINCER_CHASE_H
#define HAMON_PURSUIT_PINCER_CHASE_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "pursuit/settings.h"
#include "wave/arrival/arrival.h"
#include "wave/wave.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct pincer_chase;

/* Steers the agents of this method, METHOD_PINCER or METHOD_WAVE_PINCER. With
 * no such agent its calls do nothing. Release with pincer_chase_release. */
enum status pincer_chase_new(const struct chase_view *view,
                             enum agent_method method,
                             struct pincer_chase **chase, struct error *error);
void pincer_chase_release(struct pincer_chase *chase);

/* The terrain changed inside `box`. */
enum status pincer_chase_update(struct pincer_chase *chase,
                                const struct box *box, struct error *error);

/* Makes the next plan that is due at `step`, the nearest pursuer's first; false
 * if none is left. Random ties are drawn from a stream of this method. */
bool pincer_chase_plan(struct pincer_chase *chase, int64_t step,
                       struct agent_plan *plan);

/* Moves each of its agents a step along its path. */
void pincer_chase_move(struct pincer_chase *chase);

/* For a restart, at a step whose plans are all made or not begun. */
void pincer_chase_state(struct pincer_chase *chase, struct state *state);

#endif
