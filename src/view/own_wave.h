/* SPDX-License-Identifier: MIT */
/* A detector applied to a wave that is stepped again: map, emissions and
 * settings determine it, to the same bits as in the run, including walls that
 * opened and closed. If the detector has its own wave, which is not recorded,
 * that is stepped; for the others the run's wave is stepped. */
#ifndef HAMON_VIEW_OWN_WAVE_H
#define HAMON_VIEW_OWN_WAVE_H

#include "base/team.h"
#include "view/arrival_run.h"
#include "wave/arrival/detector.h"

struct own_wave {
    const struct recording *recording;
    struct wave_settings settings;
    struct terrain terrain; /* of the whole map */
    size_t version;         /* version of its map */
    struct team *team;      /* of one thread: it keeps the run's mode of
                             * denormals */
    struct medium *medium;
    struct wave *wave; /* NULL: the detector has its own */
    struct detection *detection;
    int64_t emitted, step;
};

/* Starts at the emission's step; `potential`: detection_potential will be
 * called. Borrows recording and settings; must not be moved in memory.
 * STATUS_INPUT if the detector does not suit this recording. Release with
 * own_wave_release, a zeroed one or one that failed too. */
enum status own_wave_open(struct own_wave *own,
                          const struct recording *recording,
                          const struct arrival_settings *settings,
                          const struct emission *emission, bool potential,
                          struct error *error);
void own_wave_release(struct own_wave *own);

/* Steps on to `step`, with the events of each step, as long as the emission
 * lasts: `detection` has the arrivals until then. */
enum status own_wave_go_to(struct own_wave *own, int64_t step,
                           struct error *error);

/* The first part of such a step, for callers that act before the second: the
 * next generation is detected. The map's events of the step follow. */
void own_wave_advance(struct own_wave *own);
enum status own_wave_take_events(struct own_wave *own, struct error *error);

/* The next emission, from this cell, at the present step. */
void own_wave_emit(struct own_wave *own, size_t cell);

#endif
