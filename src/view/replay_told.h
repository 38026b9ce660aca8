/* SPDX-License-Identifier: MIT */
#ifndef HAMON_VIEW_REPLAY_TOLD_H
#define HAMON_VIEW_REPLAY_TOLD_H

#include "base/status.h"

#include <stddef.h>

struct recording;
struct terrain;
struct wave_settings;

/* What a recording tells to compute waves from, whatever its rows: their
 * settings (lifetime and restart aside: emissions stand in the file); and its
 * map, made without a version yet, and read. STATUS_INPUT where a run has no
 * such one. Release the terrain with terrain_release, after a failure too. */
enum status replay_wave_settings(const struct recording *recording,
                                 struct wave_settings *settings,
                                 struct error *error);
enum status replay_terrain_new(const struct recording *recording,
                               struct terrain *terrain, struct error *error);
enum status replay_terrain_read(const struct recording *recording,
                                size_t version, struct terrain *terrain,
                                struct error *error);

#endif
