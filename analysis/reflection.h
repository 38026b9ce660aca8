/* SPDX-License-Identifier: MIT */
/* How far the headings of a wave's arrivals are from the shortest paths. */
#ifndef HAMON_ANALYSIS_REFLECTION_H
#define HAMON_ANALYSIS_REFLECTION_H

#include "front.h"
#include "truth.h"

enum {
    REFLECTION_BANDS = 200, /* of distance to the source, 10 cells each */
    REFLECTION_BAND_CELLS = 10,
    REFLECTION_ANGLES = 18, /* of the error, 10 degrees each */
};

/* Sums over the cells of any number of readings; errors in radians. */
struct reflection {
    double squares;
    int64_t counted, wrong; /* that have a heading; more than 90° off */
    int64_t reached, reachable;
    int64_t traced, started; /* walks that came home, of those begun */
    double ratio;            /* Σ of their lengths over the shortest */
    double band_squares[REFLECTION_BANDS];
    int64_t band_count[REFLECTION_BANDS];
    int64_t angle_count[REFLECTION_ANGLES];
    double lag_squares[FRONT_LAGS];
    int64_t lag_count[FRONT_LAGS];
};

/* Adds a front; `errors` (ny, nx; NULL: not wanted) gets each counted cell's
 * error, NaN elsewhere. */
void reflection_add(struct reflection *reflection, const struct front *front,
                    const struct truth *truth, double *errors);

/* Why a cell has no error. */
enum reflection_blank {
    BLANK_NONE,      /* it has one, or is wall */
    BLANK_UNCOUNTED, /* no truth: by the source or a corner, or of two ways */
    BLANK_UNHEARD,   /* no heading: no arrival in the rows that there are */
    BLANK_CUT_OFF,   /* no way leads from it to the source */
};
enum reflection_blank reflection_blank(const struct front *front,
                                       const struct truth *truth, size_t cell);

/* √(squares / count), NaN where there is none. */
double reflection_rms(double squares, int64_t count);

/* Cells across the corridor that the source stands in: the shorter of the
 * free runs through it along x and along y. 0 where it is none: where the map's
 * edge, which is free whatever the walls are, ends that run. */
int reflection_width(const struct terrain *terrain, size_t source);

/* The lowest frequency, radians a step, that runs along a corridor of this
 * width with fixed walls: sin²(ω/2) = δ sin²(π/2(w + 1)). */
double reflection_cutoff(double delta, int width);

#endif
