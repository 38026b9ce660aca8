/* SPDX-License-Identifier: MIT */
/* The areas of a recording's map in which waves have their own speed. */
#ifndef HAMON_ANALYSIS_STUDY_AREAS_H
#define HAMON_ANALYSIS_STUDY_AREAS_H

#include "recording/read/recording.h"
#include "world/terrain.h"

#include <stddef.h>
#include <stdint.h>

enum { AREA_NAME_SIZE = 64 };

/* An entry of the setting `regions` with a speed is an area, called by its name
 * or "regions.[0]" and so on; if several overlap, a cell belongs to the last
 * one. Other cells whose speed is not 1 (map.legend) are one more area,
 * "map.legend". */
struct areas {
    size_t count; /* including the rest of the map, number 0 */
    char (*name)[AREA_NAME_SIZE];
    int32_t *of; /* (nz, ny, nx): the number of each cell's area */
};

/* For the map with the speeds of `terrain`. STATUS_INPUT if a region's box is
 * not inside that map. Release with areas_release, after a failure too. */
enum status areas_read(struct areas *areas, const struct recording *recording,
                       const struct terrain *terrain, struct error *error);
void areas_release(struct areas *areas);

#endif
