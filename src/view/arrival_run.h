/* SPDX-License-Identifier: MIT */
/* What a recording contains about its arrivals: the emission that they follow,
 * and the detector that found them. */
#ifndef HAMON_VIEW_ARRIVAL_RUN_H
#define HAMON_VIEW_ARRIVAL_RUN_H

#include "recording/read/recording.h"
#include "settings/keys.h"
#include "wave/arrival/arrival.h"

/* A wave's first emission, and the step of its next one (−1: none). */
struct emission {
    int64_t step, next;
    int cell[GRID_AXES]; /* of the world */
};

/* STATUS_INPUT if the wave was never emitted, or from a cell outside the
 * recorded region. */
enum status emission_first(const struct recording *recording, int wave,
                           struct emission *emission, struct error *error);

/* STATUS_INPUT if the run used the detector that had this name in an older
 * version of Hamon. */
enum status arrival_detector_check(const struct recording *recording,
                                   struct error *error);

/* The run's own detector and heading rule. STATUS_INPUT if there is none of
 * that name. */
enum status arrival_settings_of(const struct recording *recording,
                                struct arrival_settings *settings,
                                struct error *error);

/* Sets a key of the arrival group ("arrival.threshold") from its text; error
 * messages begin with `where`. */
enum status arrival_setting_take(struct arrival_settings *settings,
                                 const char *path, const char *text,
                                 const char *where, struct error *error);

/* The key of that group after `key` (NULL: the first) that these settings have,
 * or NULL: all but older_waves, because each wave is read alone. */
const struct key *arrival_key_next(const struct key *key);

#endif
