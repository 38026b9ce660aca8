/* SPDX-License-Identifier: MIT */
/* The twelve maps of the study of remedies, drawn by boxes. */
#ifndef HAMON_BENCH_STUDY_MAPS_H
#define HAMON_BENCH_STUDY_MAPS_H

#include "world/terrain.h"

enum { STUDY_MAPS = 12 };
extern const char *const study_map_names[STUDY_MAPS + 1];

/* Map `which` and its source; release with terrain_release. */
enum status study_map(int which, struct terrain *terrain, size_t *source);

#endif
