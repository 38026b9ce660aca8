/* SPDX-License-Identifier: MIT */
/* How round a front is in free space, by when it came to each cell. */
#ifndef HAMON_ANALYSIS_ISOTROPY_H
#define HAMON_ANALYSIS_ISOTROPY_H

#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>

/* Bins of the angle round the source: 2 degrees each. */
enum { ISOTROPY_BINS = 180 };

/* A front: the moment at which it came to each cell, and where it points. */
struct isotropy {
    const struct terrain *terrain; /* walls end the free space */
    size_t source;
    const double *time; /* (ny, nx), generations; INFINITY never */
    const double (*heading)[2];
    /* The cells that the front runs in a generation: √δ of a wave. 0 of a
     * front that runs from the source at a speed of its own in each direction,
     * as Lee's does: its radius at another time is in proportion. */
    double speed;
};

/* The front at one time: over the cells with |r − radius| ≤ 1, ρ is where it
 * stands at their mean time, r + speed·(mean T − T). */
struct ring {
    size_t cells;
    double anisotropy;      /* (max ρ − min ρ) / mean ρ */
    double mean_time;       /* generations */
    double rms, worst;      /* heading error, radians */
    double low, high, mean; /* of ρ, cells */
};

/* False where no cell, or one that the front never reached, is in the ring. */
bool isotropy_ring(const struct isotropy *isotropy, double radius,
                   struct ring *ring);

/* By angle (bin b about b · 2 degrees from east, against the clock): the mean
 * of ρ and the RMS heading error, radians; NaN where there is no cell. */
bool isotropy_angles(const struct isotropy *isotropy, double radius,
                     double rho[ISOTROPY_BINS], double error[ISOTROPY_BINS]);

/* The largest whole radius whose ring and what is within it lies inside the
 * map, `room` cells off its edge, free of walls and reached; 0: none. The edge
 * is a mirror, so that there the front is higher, and its gradient is bent. */
int isotropy_reach(const struct isotropy *isotropy, int room);

/* With so much room heading errors of a wave from one cell are under 1e-4
 * degrees at thresholds up to 1e-2; with none they are 2 degrees. */
enum { ISOTROPY_ROOM = 4 };

/* The largest heading error of the cells within `radius`, radians. */
double isotropy_worst(const struct isotropy *isotropy, double radius);

/* Lee's front from a cell over `moves` 4 or 8: a cell a generation, whatever
 * the direction. Fills time and heading (ny, nx): the way to the lowest of the
 * 8 neighbours, no corner cut, ties E W S N, then diagonals. */
enum status isotropy_lee(const struct terrain *terrain, size_t source,
                         int moves, double *time, double (*heading)[2],
                         struct error *error);

#endif
