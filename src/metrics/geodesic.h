/* SPDX-License-Identifier: MIT */
/* Shortest paths through a recording's map: exact in 2D; in 3D by fast marching
 * at speed 1 on a 3 times finer grid. */
#ifndef HAMON_METRICS_GEODESIC_H
#define HAMON_METRICS_GEODESIC_H

#include "recording/read/recording.h"
#include "search/exact.h"
#include "search/fast_marching.h"

struct geodesic {
    struct grid grid;
    uint8_t *wall;
    struct exact *exact;            /* 2D */
    struct fast_marching *marching; /* 3D; NULL: the map is too large for it */
    size_t source;                  /* solved for; SIZE_MAX: none yet */
};

/* For the map that is in force at `step`. Release with geodesic_release, after
 * failures too. */
enum status geodesic_init(struct geodesic *geodesic,
                          const struct recording *recording, int64_t step,
                          struct error *error);
void geodesic_release(struct geodesic *geodesic);

/* Makes `source` the end of all paths; returns at once if it is that
 * already. */
void geodesic_solve(struct geodesic *geodesic, size_t source);

/* From the cell to the source; INFINITY if there is no path, NAN if the map is
 * too large to find it. */
double geodesic_distance(const struct geodesic *geodesic, size_t cell);

/* The true direction from a position, not scaled: to the next turn of the exact
 * path from the nearest cell, or the descent of the marching's time. False if
 * there is none. */
bool geodesic_direction(const struct geodesic *geodesic,
                        const double at[GRID_AXES],
                        double direction[GRID_AXES]);

#endif
