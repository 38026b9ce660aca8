/* SPDX-License-Identifier: MIT */
/* What a recording says of its arrivals: the emission that they follow, and
 * the detector that heard them. */
#ifndef HAMON_DRAW_ARRIVAL_RUN_H
#define HAMON_DRAW_ARRIVAL_RUN_H

#include "recording/recording.h"
#include "wave/arrival.h"

/* A wave's first emission, and when it goes out again (−1: it does not). */
struct emission {
    int64_t step, next;
    int cell[GRID_AXES]; /* of the world */
};

/* STATUS_INPUT where the wave was never emitted, or from no cell of the
 * recorded region. */
enum status emission_first(const struct recording *recording, int wave,
                           struct emission *emission, struct error *error);

/* The run's own detector and heading rule. STATUS_INPUT where there is no such
 * one. */
enum status arrival_settings_of(const struct recording *recording,
                                struct arrival_settings *settings,
                                struct error *error);

/* Sets one of the arrival group ("arrival.threshold") by its text; `where`
 * heads the message of a fault. */
enum status arrival_setting_take(struct arrival_settings *settings,
                                 const char *key, const char *text,
                                 const char *where, struct error *error);

/* The keys of that group; ends with NULL. */
extern const char *const arrival_setting_keys[];

#endif
