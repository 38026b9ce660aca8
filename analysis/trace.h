/* SPDX-License-Identifier: MIT */
/* Where a walker comes to that follows the headings of the cells. */
#ifndef HAMON_ANALYSIS_TRACE_H
#define HAMON_ANALYSIS_TRACE_H

#include "world/terrain.h"

#define TRACE_STEP 0.25
#define TRACE_HOME 3. /* and in sight of the source: it has come home */

/* Walks from `start` in steps of TRACE_STEP along the heading of the nearest
 * cell, sliding along walls by single components. The length walked, the last
 * straight piece to the source with it, or −1 where it has not come home
 * within 4 · distance + 40, or stands where there is no heading. */
double trace_length(const struct terrain *terrain, const double (*heading)[2],
                    size_t source, const double start[2], double distance);

#endif
