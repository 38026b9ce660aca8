/* SPDX-License-Identifier: MIT */
/* The path of least time: down the field of fast marching. 2D. */
#ifndef HAMON_ANALYSIS_DESCENT_H
#define HAMON_ANALYSIS_DESCENT_H

#include "polyline.h"
#include "search/fast_marching.h"

#include <stdbool.h>

/* From `start` to `source`, for which `marching` was solved on `terrain` with
 * `refine` subcells a side. Through each subcell straight along its −∇T; where
 * that leads into a subcell that leads back, or into a wall, along the border
 * between the two, on which the faster side's speed holds: so a path bends
 * round a slow area without a step into it. Within a cell of the source
 * straight to it. *arrived is false where the path ends elsewhere. */
enum status descent_follow(const struct fast_marching *marching,
                           const struct terrain *terrain, int refine,
                           const double start[2], const double source[2],
                           struct polyline *path, bool *arrived,
                           struct error *error);

#endif
