/* SPDX-License-Identifier: MIT */
/* What a recording holds about its arrivals: the emission that they follow, and
 * the detector that found them. */
#ifndef HAMON_VIEW_ARRIVAL_RUN_H
#define HAMON_VIEW_ARRIVAL_RUN_H

#include "recording/read/recording.h"
#include "settings/keys.h"
#include "wave/arrival/arrival.h"

/* A wave's first emission, and when it goes out again (−1: it does not). */
struct emission {
    int64_t step, next;
    int cell[GRID_AXES]; /* of the world */
};

/* STATUS_INPUT where the wave was never emitted, or from no cell of the
 * recorded region. */
enum status emission_first(const struct recording *recording, int wave,
                           struct emission *emission, struct error *error);

/* STATUS_INPUT where the detector of the run's waves is not what is called by
 * its name today: of a recording that an earlier Hamon made. */
enum status arrival_detector_check(const struct recording *recording,
                                   struct error *error);

/* The run's own detector and heading rule. STATUS_INPUT where there is no such
 * one. */
enum status arrival_settings_of(const struct recording *recording,
                                struct arrival_settings *settings,
                                struct error *error);

/* Sets one of the arrival group ("arrival.threshold") by its text; `where`
 * heads the message of a fault. */
enum status arrival_setting_take(struct arrival_settings *settings,
                                 const char *path, const char *text,
                                 const char *where, struct error *error);

/* The key of that group behind `key` (NULL: the first) that such settings
 * have, or NULL: all but older_waves, as each wave is read alone. */
const struct key *arrival_key_next(const struct key *key);

#endif
