/* SPDX-License-Identifier: MIT */
/* A recorded run, made again: from a recording to its scenario, and from that
 * to a second recording, in memory, with the run's own bits. */
#ifndef HAMON_RUN_AGAIN_H
#define HAMON_RUN_AGAIN_H

#include "base/status.h"
#include "recording/read/recording.h"
#include "scenario/scenario.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

/* A version of the recorded map, into a terrain of its grid (terrain_init).
 * STATUS_INPUT if it has a cell that no scenario can make. */
enum status again_map(const struct recording *recording, size_t version,
                      struct terrain *map, struct error *error);

/* A recording made before laplace had a stencil of its own lacks
 * arrival.stencil, and behaves as with "wave"; its preset best steered at every
 * step. Sets the overrides that say so, and returns their number: 0 for all
 * others. The texts of a scenario parsed with them then lack the stencil too,
 * as the recording's do. */
enum { AGAIN_OVERRIDES = 2 };
size_t again_overrides(const struct recording *recording,
                       const char *overrides[AGAIN_OVERRIDES]);
void again_leave_out(const struct recording *recording,
                     struct scenario *scenario);

/* The scenario of /provenance/resolved, on the recorded map if that text does
 * not draw its map. Release with scenario_release. STATUS_INPUT if the
 * recording has no scenario, contradicts it, or lacks what the run began
 * with. */
enum status again_scenario(const struct recording *recording,
                           struct scenario **scenario, struct error *error);

struct again_options {
    int threads; /* ≥ 1 */
    /* Called at step 0 and after each step up to `last`; NULL: not called. A
     * status other than STATUS_OK, with an error, ends the work. */
    enum status (*progress)(void *context, const char *path, int64_t step,
                            int64_t last, struct error *error);
    void *context;
};

/* Runs the scenario to the last recorded step, or to its own end before that.
 * *copy is what hamon-record would have written, with the state done if the run
 * ended, diverged if it did after the last row of a recording that did, else
 * stopped: an open recording (as by replay_open) without a name, in memory,
 * whose messages name the path of `recording`. Release with recording_close.
 * STATUS_INPUT if `recording` has no frame; STATUS_DIVERGED if the run diverges
 * before its last recorded step. */
enum status again_record(const struct recording *recording,
                         const struct scenario *scenario,
                         const struct again_options *options,
                         struct recording **copy, struct error *error);

/* From now on recording_whole makes the run again when it is first required,
 * with every field of the whole map at every step. STATUS_INPUT then if that
 * differs from `recording` in agents, target, emissions, arrivals, captures or
 * the last frame's fields: then the rules of the run's version were others.
 * `options` are copied, their context is borrowed. A recording without a
 * scenario stays as it is. */
enum status again_offer(struct recording *recording,
                        const struct again_options *options,
                        struct error *error);

#endif
