/* SPDX-License-Identifier: MIT */
/* The first-arrival fields of a run, one a wave: the step at which the
 * scenario's detector first holds after the wave's first emission. Fed with
 * every generation, whatever rows are recorded. */
#ifndef HAMON_RUN_ARRIVALS_H
#define HAMON_RUN_ARRIVALS_H

#include "base/status.h"
#include "base/team.h"
#include "scenario/scenario.h"
#include "wave/first_arrival.h"
#include "world/split.h"
#include "world/state.h"

#include <stdbool.h>
#include <stdint.h>

/* Of one wave: the field of its detector, and where it began. */
struct wave_arrivals {
    int64_t emitted; /* the step of the first emission; −1: none yet */
    bool over;       /* it went out again */
    bool changed;    /* since it was last looked at */
    struct first_arrival first;
};

struct run_arrivals {
    const struct scenario *scenario;
    struct team *team;
    struct share share;
    const struct terrain *terrain; /* of the share's own block */
    struct terrain cut;            /* that, where it is not all */
    struct wave_arrivals *waves;   /* (wave.count) */
    int32_t *steps;                /* (nz, ny, nx): as it is written */
};

/* Borrows all; `terrain` is the run's own, which events change. Where the share
 * is not all of it, generations and fields are of its own block. team may be
 * NULL. Release with run_arrivals_release, a zeroed one too. */
enum status run_arrivals_init(struct run_arrivals *arrivals,
                              const struct scenario *scenario,
                              const struct terrain *terrain,
                              const struct share *share, struct team *team,
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

/* The terrain changed. */
void run_arrivals_update(struct run_arrivals *arrivals,
                         const struct terrain_change *change);

/* The field of a wave: steps; 0 at the source, −1 where nothing came. Valid
 * until the next call. NULL where it is as it was at the last call. */
const int32_t *run_arrivals_steps(struct run_arrivals *arrivals, int wave);

/* What a restart needs of it. */
void run_arrivals_state(struct run_arrivals *arrivals, struct state *state);

#endif
