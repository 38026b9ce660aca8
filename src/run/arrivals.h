/* SPDX-License-Identifier: MIT */
/* The first-arrival fields of a run, one for each wave: the step at which the
 * condition of the scenario's detector is first true after the wave's first
 * emission. They take every generation, whichever are recorded. */
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

/* For one wave: the state of its detector, and its emission. */
struct wave_arrivals {
    int64_t emitted; /* the step of the first emission; −1: none yet */
    bool over;       /* it was emitted again */
    bool changed;    /* since run_arrivals_steps was called */
    struct detection *detection;
};

struct run_arrivals {
    const struct scenario *scenario;
    struct team *team;
    struct share share;
    /* The cells of the detections: the share's own block or, for a detector
     * with its own waves, which depend on the neighbours' cells, the whole
     * share. */
    struct box covered;
    const struct terrain *terrain; /* of these cells */
    /* a copy of the own block, if these are not the whole share */
    struct terrain cut;
    struct wave_arrivals *waves; /* (wave.count) */
    int32_t *steps;              /* (nz, ny, nx): as it is recorded */
};

/* Borrows all of the simulation, whose events change its map. If it has only a
 * share of the map, generations and fields are of its own block. Release with
 * run_arrivals_release, which also takes a zeroed struct. */
enum status run_arrivals_init(struct run_arrivals *arrivals,
                              const struct scenario *scenario,
                              const struct simulation *simulation,
                              struct error *error);
void run_arrivals_release(struct run_arrivals *arrivals);

/* Is generation `step` of this wave needed? From its first emission to the end
 * of its lifetime, or until it is emitted again. */
bool run_arrivals_wants(const struct run_arrivals *arrivals, int wave,
                        int64_t step);

/* The wave was emitted from `cell`, and `amplitude` is its generation, packed.
 * Begins the field; a second emission ends it. */
void run_arrivals_emitted(struct run_arrivals *arrivals, int wave, size_t cell,
                          int64_t step, const void *amplitude);

/* The wave was stepped to generation `step`; the events of this step are not
 * applied yet. */
void run_arrivals_go_on(struct run_arrivals *arrivals, int wave, int64_t step);

/* The wave was stepped to generation `step`; `amplitude` is that generation,
 * packed. */
void run_arrivals_take(struct run_arrivals *arrivals, int wave, int64_t step,
                       const void *amplitude);

/* The terrain changed at `step`. */
void run_arrivals_update(struct run_arrivals *arrivals,
                         const struct terrain_change *change, int64_t step);

/* The field of a wave: steps; at the source the step of the first emission; −1
 * in cells without arrival. Valid until the next call. NULL if it has not
 * changed since the last call. */
const int32_t *run_arrivals_steps(struct run_arrivals *arrivals, int wave);

/* Visits what a restart needs. */
void run_arrivals_state(struct run_arrivals *arrivals, struct state *state);

#endif
