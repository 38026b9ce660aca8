/* SPDX-License-Identifier: MIT */
/* First arrivals by laplace-front: the wave that the detector has of its own is
 * in no row, but map, emission and settings determine it. It is stepped again
 * as the run had it, walls that came and went included, to the same bits. */
#ifndef HAMON_DRAW_OWN_WAVE_H
#define HAMON_DRAW_OWN_WAVE_H

#include "base/team.h"
#include "draw/arrival_run.h"
#include "wave/first_arrival.h"

struct own_wave {
    const struct recording *recording;
    struct wave_settings settings;
    struct terrain terrain; /* of the whole map */
    size_t version;         /* that it is of */
    struct team *team;      /* of one: it keeps the run's mode of denormals */
    struct first_arrival first;
    int64_t emitted, step;
};

/* At the emission's own step. Borrows recording and settings; must stay where
 * it is. STATUS_INPUT where the detector is none for this recording. Release
 * with own_wave_release, a zeroed one or one that failed too. */
enum status own_wave_open(struct own_wave *own,
                          const struct recording *recording,
                          const struct arrival_settings *settings,
                          const struct emission *emission, struct error *error);
void own_wave_release(struct own_wave *own);

/* On to `step`, with the events of each on the way, for as long as the emission
 * lives: `first` has the arrivals up to then. */
enum status own_wave_go_to(struct own_wave *own, int64_t step,
                           struct error *error);

#endif
