/* SPDX-License-Identifier: MIT */
#ifndef HAMON_VIEW_REPLAY_INPUTS_H
#define HAMON_VIEW_REPLAY_INPUTS_H

#include "base/status.h"

#include <stddef.h>

struct recording;
struct terrain;
struct wave_settings;

/* The data in a recording to compute its waves, independent of the recorded
 * rows: the wave settings (without lifetime and restart, because the emissions
 * are in the file); and the map, to be filled with a version and read.
 * STATUS_INPUT if a run has none of these. Release the terrain with
 * terrain_release, after a failure too. */
enum status replay_wave_settings(const struct recording *recording,
                                 struct wave_settings *settings,
                                 struct error *error);
enum status replay_terrain_new(const struct recording *recording,
                               struct terrain *terrain, struct error *error);
enum status replay_terrain_read(const struct recording *recording,
                                size_t version, struct terrain *terrain,
                                struct error *error);

#endif
