/* SPDX-License-Identifier: MIT */
/* A detector at work on a wave that is stepped again: map, emissions and
 * settings determine it, to the same bits as in the run, walls that came and
 * went included. A detector with a wave of its own steps that, which is in no
 * frame; for the others the run's own wave is stepped. */
#ifndef HAMON_VIEW_OWN_WAVE_H
#define HAMON_VIEW_OWN_WAVE_H

#include "base/team.h"
#include "view/arrival_run.h"
#include "wave/arrival/detector.h"

struct own_wave {
    const struct recording *recording;
    struct wave_settings settings;
    struct terrain terrain; /* of the whole map */
    size_t version;         /* that it is of */
    struct team *team;      /* of one: it keeps the run's mode of denormals */
    struct medium *medium;
    struct wave *wave; /* NULL: the detector has one of its own */
    struct detection *detection;
    int64_t emitted, step;
};

/* At the emission's own step; `potential`: detection_potential will be asked.
 * Borrows recording and settings; must stay where it is. STATUS_INPUT where the
 * detector is none for this recording. Release with own_wave_release, a zeroed
 * one or one that failed too. */
enum status own_wave_open(struct own_wave *own,
                          const struct recording *recording,
                          const struct arrival_settings *settings,
                          const struct emission *emission, bool potential,
                          struct error *error);
void own_wave_release(struct own_wave *own);

/* On to `step`, with the events of each on the way, for as long as the emission
 * lives: `detection` has the arrivals up to then. */
enum status own_wave_go_to(struct own_wave *own, int64_t step,
                           struct error *error);

/* One step of that in its parts, for whoever looks between them: the next
 * generation is detected, before the map's events of that step. */
void own_wave_advance(struct own_wave *own);
enum status own_wave_take_events(struct own_wave *own, struct error *error);

/* The next emission, from this cell, at the step that was come to. */
void own_wave_emit(struct own_wave *own, size_t cell);

#endif
