/* SPDX-License-Identifier: MIT */
/* Recordings with every generation: recorded, packed, or computed again.
 *
 * A recording with record.keyframes = K stores generations 0, 1, K, K + 1, 2K,
 * 2K + 1, …: two of them, the map, the emissions and the settings that are in
 * the file determine all up to the next, bit for bit. The reader
 * (recording/read) knows the stored ones alone; this computes the others by the
 * wave's own rule (wave/wave.h) and compares them with the next checksum that
 * the run has kept. */
#ifndef HAMON_VIEW_REPLAY_H
#define HAMON_VIEW_REPLAY_H

#include "recording/read/recording.h"

/* As recording_open; recording_read and recording_read_series then give any
 * row, and the gradients too. Rows in rising order cost a generation each,
 * others up to K. They may be called by any thread. STATUS_INPUT if the file
 * lacks what the rows are computed from. Release with recording_close. */
enum status replay_open(const char *path, struct recording **recording,
                        struct error *error);

#endif
