/* SPDX-License-Identifier: MIT */
/* Recordings with every generation: recorded, packed, or computed again.
 *
 * A recording with record.keyframes = K stores generations 0, 1, K, K + 1, 2K,
 * 2K + 1, …: two of them, with the map, the emissions and the settings in the
 * file, determine all until the next pair, bit for bit. The reader
 * (recording/read) reads only stored ones; this module computes the others by
 * the wave equation (wave/wave.h) and compares them with the next stored
 * checksum. */
#ifndef HAMON_VIEW_REPLAY_H
#define HAMON_VIEW_REPLAY_H

#include "recording/read/recording.h"

/* As recording_open; recording_read and recording_read_series then return any
 * row, and the gradients too. Rows in ascending order cost one generation each,
 * others up to K. Any thread may call them. STATUS_INPUT if the file lacks the
 * data to compute the rows. Release with recording_close. */
enum status replay_open(const char *path, struct recording **recording,
                        struct error *error);

#endif
