/* SPDX-License-Identifier: MIT */
/* The errors of the headings at a wave's arrivals against the shortest
 * paths. */
#ifndef HAMON_ANALYSIS_STUDY_REFLECTION_H
#define HAMON_ANALYSIS_STUDY_REFLECTION_H

#include "view/front_error.h"

enum {
    REFLECTION_BANDS = 400, /* of distance, 5 cells each */
    REFLECTION_BAND_CELLS = 5,
    REFLECTION_BENDS = 64,
    REFLECTION_ANGLES = 18, /* of the error, 10 degrees each */
    /* of local width: 1 to 20 cells each, then to 30, 50, 100, and over */
    REFLECTION_WIDTHS = 24,
};

/* The extents by which errors are binned: the local width, and in 3D the
 * height, the second extent of the cross-section (world/local_width.h). */
enum { ACROSS_WIDTH, ACROSS_HEIGHT, ACROSS };

/* Sums over the cells of a bin of widths or heights. */
struct reflection_bin {
    double squares, sum; /* of the errors; of the counted cells' extents */
    int64_t count, reached, reachable;
    int64_t cause[CAUSES]; /* of wrong headings */
};

/* The distances by which errors are binned, along a cell's shortest path: from
 * the source, and past the last bend; without a bend it has none. */
enum { FROM_SOURCE, PAST_BEND, ABSCISSAS };

/* Sums over the counted cells of bands of a distance. */
struct reflection_bands {
    double squares[REFLECTION_BANDS];
    int64_t count[REFLECTION_BANDS];
    int64_t cause[REFLECTION_BANDS][CAUSES]; /* with front->waves */
};

/* Sums over the cells of any number of readings; errors in radians. */
struct reflection {
    double squares;
    int64_t counted, wrong; /* that have a heading; that are wrong */
    int64_t reached, reachable;
    int64_t traced, started; /* walks that arrived, walks that were started */
    double ratio;            /* Σ of their lengths divided by the shortest */
    struct reflection_bands by[ABSCISSAS];
    int64_t angle_count[REFLECTION_ANGLES];
    double lag_squares[FRONT_LAGS];
    int64_t lag_count[FRONT_LAGS];
    /* With front->waves: cells with a local width, by it and by height; and the
     * causes of wrong headings, by lag (front_cause_lags). */
    struct reflection_bin across[ACROSS][REFLECTION_WIDTHS];
    int64_t lag_counted[FRONT_CAUSES];
    int64_t lag_cause[FRONT_CAUSES][CAUSES];
};

/* The bin of a local width ≥ 1. */
int reflection_width_bin(int width);

/* Adds a front. A heading is wrong if its error is larger than the limit in
 * front->waves, or without waves than 90°. `errors` (nz, ny, nx; NULL: not
 * required) gets each counted cell's error, NaN elsewhere; `causes`, with
 * front->waves, 1 + enum cause of each wrong heading, 0 elsewhere. */
void reflection_add(struct reflection *reflection, const struct front *front,
                    const struct truth *truth, double *errors, uint8_t *causes);

/* Adds the sums of another reading. */
void reflection_pool(struct reflection *sum, const struct reflection *of);

/* The median local width, or height, of the cells that have a heading error; 0
 * if most of them have none, or if there are none; in 2D the height is 0.
 * *alike: nine in ten of them have this value. */
void reflection_median(const struct front *front, const struct truth *truth,
                       int across, int *extent, bool *alike);

/* Why a cell has no error. */
enum reflection_blank {
    BLANK_NONE,       /* it has one, or is a wall */
    BLANK_UNCOUNTED,  /* not counted: near the source or a corner, or with two
                       * shortest paths */
    BLANK_NO_ARRIVAL, /* no heading: no arrival in the recorded rows */
    BLANK_CUT_OFF,    /* there is no path from it to the source */
};
enum reflection_blank reflection_blank(const struct front *front,
                                       const struct truth *truth, size_t cell);

/* A place where a path turns, and how far from the source. */
struct reflection_bend {
    double at[GRID_AXES], distance;
};

/* The bends of the shortest path to the farthest cell that counts, from the
 * source on, and their number: of more the first REFLECTION_BENDS. 0 if paths
 * are marched. */
size_t reflection_bends(const struct front *front, const struct truth *truth,
                        struct reflection_bend bends[REFLECTION_BENDS]);

/* √(squares / count), NaN if there is none. */
double reflection_rms(double squares, int64_t count);

#endif
