/* SPDX-License-Identifier: MIT */
/* The first-arrival fields of a run, one a wave: the step at which the
 * scenario's detector first holds after the wave's first emission. Fed with
 * every generation, whatever rows are recorded. */
#ifndef HAMON_RUN_ARRIVALS_H
#define HAMON_RUN_ARRIVALS_H

#include "base/status.h"
#include "base/team.h"
#include "run/simulate.h"
#include "scenario/scenario.h"
#include "wave/arrival/detector.h"
#include "world/split.h"
#include "world/state.h"

#include <stdbool.h>
#include <stdint.h>

/* Of one wave: the field of its detector, and where it began. */
struct wave_arrivals {
    int64_t emitted; /* the step of the first emission; −1: none yet */
    bool over;       /* it went out again */
    bool changed;    /* since it was last looked at */
    struct detection *detection;
};

struct run_arrivals {
    const struct scenario *scenario;
    struct team *team;
    struct share share;
    /* What the detections are over: the share's own block, or for a detector
     * with waves of its own, which need their neighbours, all that it has. */
    struct box covered;
    const struct terrain *terrain; /* of that */
    struct terrain cut;            /* of the own block, where it is not all */
    struct wave_arrivals *waves;   /* (wave.count) */
    int32_t *steps;                /* (nz, ny, nx): as it is written */
};

/* Borrows all of the simulation, whose events change its map. Where its share
 * is not all of that, generations and fields are of its own block. Release with
 * run_arrivals_release, a zeroed one too. */
enum status run_arrivals_init(struct run_arrivals *arrivals,
                              const struct scenario *scenario,
                              const struct simulation *simulation,
                              struct error *error);
void run_arrivals_release(struct run_arrivals *arrivals);

/* Does generation `step` of this wave count? From its first emission through
 * its lifetime, or until it goes out again. */
bool run_arrivals_wants(const struct run_arrivals *arrivals, int wave,
                        int64_t step);

/* The wave was emitted from `cell` and holds `amplitude`, packed: begins, or
 * with a second emission ends. */
void run_arrivals_emitted(struct run_arrivals *arrivals, int wave, size_t cell,
                          int64_t step, const void *amplitude);

/* The wave was stepped to generation `step`; the events of the step are to
 * come. */
void run_arrivals_go_on(struct run_arrivals *arrivals, int wave, int64_t step);

/* The wave was stepped to generation `step`, and holds `amplitude`, packed. */
void run_arrivals_take(struct run_arrivals *arrivals, int wave, int64_t step,
                       const void *amplitude);

/* The terrain changed at `step`. */
void run_arrivals_update(struct run_arrivals *arrivals,
                         const struct terrain_change *change, int64_t step);

/* The field of a wave: steps, at the source that of the first emission; −1
 * where nothing came. Valid
 * until the next call. NULL where it is as it was at the last call. */
const int32_t *run_arrivals_steps(struct run_arrivals *arrivals, int wave);

/* What a restart needs of it. */
void run_arrivals_state(struct run_arrivals *arrivals, struct state *state);

#endif
