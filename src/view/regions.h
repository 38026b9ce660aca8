/* SPDX-License-Identifier: MIT */
/* The entries of the setting `regions` of a recording's run. */
#ifndef HAMON_VIEW_REGIONS_H
#define HAMON_VIEW_REGIONS_H

#include "recording/read/recording.h"

enum { REGION_NAME_SIZE = 96 };

/* A setting of the i-th region, as "speed"; NULL: it is not given, or there is
 * no such region. Every region has a "box". */
const char *region_setting(const struct recording *recording, size_t i,
                           const char *leaf);
size_t region_count(const struct recording *recording);

/* Its box; false if that is not inside the map. */
bool region_box(const struct recording *recording, size_t i, struct box *box);

#endif
