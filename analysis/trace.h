/* SPDX-License-Identifier: MIT */
/* The path that a field of headings leads along. 2D. */
#ifndef HAMON_ANALYSIS_TRACE_H
#define HAMON_ANALYSIS_TRACE_H

#include "polyline.h"

#include <stdbool.h>

/* From `start` by steps of ¼ along the nearest cell's heading (a unit vector;
 * 0, 0: none), blocked steps as agents make them, until the source is within 3
 * cells and in sight: then straight to it. *arrived is false, and the path as
 * far as it came, where it has gone 4·geodesic + 40 cells without, or a cell
 * has no heading. */
enum status trace_follow(const struct terrain *terrain,
                         const double (*heading)[2], const double start[2],
                         const double source[2], double geodesic,
                         struct polyline *path, bool *arrived,
                         struct error *error);

#endif
