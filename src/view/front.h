/* SPDX-License-Identifier: MIT */
/* The first front of a wave: its arrival time and heading at each cell,
 * computed from a recording's rows. 2D and 3D; vectors are (x, y, z), in 2D
 * with z = 0. */
#ifndef HAMON_VIEW_FRONT_H
#define HAMON_VIEW_FRONT_H

#include "recording/read/recording.h"
#include "view/arrival_run.h"
#include "view/cause.h"
#include "wave/arrival/arrival.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

/* Lags after the arrival at which the heading is evaluated: 0 … 30 steps. */
enum { FRONT_LAGS = 31 };

/* Lags at which the causes of wrong headings are determined. */
enum { FRONT_CAUSES = 5 };
extern const int front_cause_lags[FRONT_CAUSES]; /* 0, 2, 4, 8, 12 */

/* The direction of the wave round each heading, to find its cause. Arrays are
 * (nz, ny, nx). */
struct front_waves {
    double wrong; /* radians: headings with a larger error are wrong */
    double delta;
    int32_t *width;  /* local width (world/local_width.h) */
    int32_t *height; /* the second extent of the cross-section; NULL in 2D */
    int32_t *period; /* steps of the window: of the cutoff for these; without a
                      * width, for the shortest side of the map */
    /* Of the counted cells, at each lag: the heading's error (radians, NaN:
     * none), and the sums from that step on over the window, or to the end of
     * the recording. Headings that are not wrong may have none. */
    double (*error)[FRONT_CAUSES];
    struct cause_sums (*sums)[FRONT_CAUSES];
};

struct front {
    struct terrain terrain; /* only walls, as at the emission */
    size_t source;
    int64_t emitted;   /* the step */
    int64_t sent_anew; /* the first step not followed, of the next emission; −1:
                        * none */
    int64_t rows;      /* of the recording, number followed */
    int32_t *step;     /* (nz, ny, nx): the age at which the wave arrived; −1
                        * never */
    double *time;      /* the same with a fraction of a step; INFINITY never */
    double (*heading)[GRID_AXES]; /* unit, by the rule, at `step`; 0 never */
    /* Σ e² and the number of terms, at each lag after the arrival; radians. */
    double lag_squares[FRONT_LAGS];
    int64_t lag_count[FRONT_LAGS];
    struct front_waves *waves; /* filled by front_follow; NULL: not required */
};

/* Opens the front: terrain and source, no arrival yet. STATUS_INPUT if the
 * recording is not of the whole map, or if its wave was never emitted. Release
 * with front_release, after a failure too. */
enum status front_open(struct front *front, const struct recording *recording,
                       int wave, struct error *error);
void front_release(struct front *front);

/* Makes front->waves, for walls that are fixed or free. */
enum status front_waves_new(struct front *front, double wrong, double delta,
                            bool fixed, struct error *error);

/* Follows the first emission through the rows. A zero gradient is no arrival:
 * the next row is tested again. `toward` (nz, ny, nx) has the true heading of
 * the cells that count for the errors against lag, 0 for others; NULL: none. A
 * detector with its own wave heads along its ∇U, or by arrival-time along −∇T;
 * the time is the step. flux has a heading when its sum is complete, and only
 * the lag 0. With front->waves `toward` is required too. STATUS_INPUT if not
 * every step was recorded, or no gradient. */
enum status front_follow(struct front *front, const struct recording *recording,
                         int wave, const struct arrival_settings *settings,
                         const double (*toward)[GRID_AXES],
                         struct error *error);

/* The angle between g and u, e = atan2(|g × u|, g·u), radians; NaN if one of
 * them is 0. */
double heading_error(const double g[GRID_AXES], const double u[GRID_AXES]);

#endif
