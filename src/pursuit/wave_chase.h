/* SPDX-License-Identifier: MIT */
/* Agents that steer by the waves (Watanabe 2021, §4–5; Kumagai 2024, §2.2).
 * An agent reacts once to each emission and goes straight on in between. */
#ifndef HAMON_PURSUIT_WAVE_CHASE_H
#define HAMON_PURSUIT_WAVE_CHASE_H

#include "base/state.h"
#include "base/status.h"
#include "pursuit/agents.h"
#include "wave/arrival.h"
#include "wave/wave.h"

#include <stddef.h>
#include <stdint.h>

struct wave_chase;

/* What a chase looks at; borrowed, and must outlive it. */
struct wave_chase_view {
    struct agents *agents; /* those of METHOD_WAVE are steered */
    const struct terrain *terrain;
    struct wave *const *waves; /* (wave.count) */
    const struct wave_settings *wave;
    const struct arrival_settings *arrival;
    struct team *team;
};

/* Release with wave_chase_release. */
enum status wave_chase_new(const struct wave_chase_view *view,
                           struct wave_chase **chase, struct error *error);
void wave_chase_release(struct wave_chase *chase);

/* Wave `wave` was just emitted from `cell`: every agent may react to it. */
void wave_chase_emitted(struct wave_chase *chase, int wave, size_t cell);

/* The walls inside `box` changed. */
void wave_chase_update(struct wave_chase *chase, const struct box *box);

/* The waves hold generation `step`: finds arrivals, appends them to `arrivals`
 * and turns the agents that react. With several at once the oldest emission
 * comes first, so the newest sets the heading. Captured agents do not react. */
void wave_chase_listen(struct wave_chase *chase, int64_t step,
                       struct agent_arrivals *arrivals);

/* For a restart. */
void wave_chase_state(struct wave_chase *chase, struct state *state);

#endif
