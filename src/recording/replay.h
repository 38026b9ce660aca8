/* SPDX-License-Identifier: MIT */
/* Rows between keyframes, computed again bit for bit.
 *
 * A recording with record.keyframes = K stores generations 0, 1, K, K + 1, 2K,
 * 2K + 1, …: two of them, the map, the emissions and the settings that stand
 * in the file determine all up to the next. This is the one place of this room
 * that knows waves, as a pure rule (wave/wave.h is the norm of bits); what it
 * computes is held to the next checksum that the run has kept. */
#ifndef HAMON_RECORDING_REPLAY_H
#define HAMON_RECORDING_REPLAY_H

#include "recording/layout.h"

struct recording;
struct replay;

/* Reads settings and emissions; nothing is computed yet. The recording must
 * outlive it. STATUS_INPUT where the file does not tell what is needed. */
enum status replay_new(const struct recording *recording,
                       struct replay **replay, struct error *error);
void replay_release(struct replay *replay);

/* Row `row` of the amplitude or the gradient `item` into `out`. Rows in rising
 * order cost a generation each, others up to K. May be called by any thread. */
enum status replay_read(struct replay *replay, const struct layout_item *item,
                        int64_t row, void *out, struct error *error);

#endif
