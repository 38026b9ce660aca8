/* SPDX-License-Identifier: MIT */
/* How far a wave came: what the metric reach is made of. */
#ifndef HAMON_ANALYSIS_METRICS_REACH_H
#define HAMON_ANALYSIS_METRICS_REACH_H

#include "geodesic.h"
#include "metrics.h"
#include "recording/tables.h"

/* Counts the cells of the region that lie farther than 3 from the source of
 * wave 0's first emission, and those of them where it arrived, into
 * measured->far_cells and far_reached; −1 where the recording does not tell.
 * The geodesic is solved anew. */
enum status measure_reach(const struct recording *recording,
                          struct geodesic *geodesic,
                          const struct emission_row *emissions, size_t count,
                          struct measured *measured, struct error *error);

#endif
