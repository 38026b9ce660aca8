/* SPDX-License-Identifier: MIT */
/* The path along a field of headings, in 2D or 3D. */
#ifndef HAMON_ANALYSIS_STUDY_TRACE_H
#define HAMON_ANALYSIS_STUDY_TRACE_H

#include "analysis/study/polyline.h"

#include <stdbool.h>

#define TRACE_STEP 0.25
#define TRACE_HOME 3. /* and in sight of the source: it has arrived */

/* Walks from `start` in steps of TRACE_STEP along the heading of the nearest
 * cell (a unit vector; all 0: none), sliding along walls by single components,
 * the largest first, until it arrives: then straight to the source. *arrived is
 * false, and the path ends early, if it has not arrived within 4 · geodesic +
 * 40 (`geodesic`: length of the shortest path, cells), or if there is no
 * heading at its position. */
void trace_follow(const struct terrain *terrain,
                  const double (*heading)[GRID_AXES],
                  const double start[GRID_AXES], const double source[GRID_AXES],
                  double geodesic, struct polyline *path, bool *arrived);

/* The length of that path, or −1 if it has not arrived. */
double trace_length(const struct terrain *terrain,
                    const double (*heading)[GRID_AXES], size_t source,
                    const double start[GRID_AXES], double geodesic);

#endif
