/* SPDX-License-Identifier: MIT */
/* The first front of a wave: when it came to each cell and where it pointed,
 * worked out from a recording's rows. 2D. */
#ifndef HAMON_ANALYSIS_FRONT_H
#define HAMON_ANALYSIS_FRONT_H

#include "draw/arrival_run.h"
#include "recording/recording.h"
#include "wave/arrival.h"
#include "world/terrain.h"

#include <stdint.h>

/* Lags after the arrival at which the heading is looked at: 0 … 30 steps. */
enum { FRONT_LAGS = 31 };

struct front {
    struct terrain terrain; /* walls alone, as they stood at the emission */
    size_t source;
    int64_t emitted; /* the step */
    int64_t rows;    /* of the recording that were followed */
    int32_t *step;   /* (ny, nx): the age at which the wave came; −1 never */
    double *time;    /* the same within the step; INFINITY never */
    double (*heading)[2]; /* unit, by the rule, at `step`; 0, 0 never */
    /* Σ e² and how many, at each lag after the arrival; radians. */
    double lag_squares[FRONT_LAGS];
    int64_t lag_count[FRONT_LAGS];
};

/* Opens the front: terrain and source, nothing arrived yet. STATUS_INPUT where
 * the recording is not of 2D, not of the whole map, or was never emitted.
 * Release with front_release, after a failure too. */
enum status front_open(struct front *front, const struct recording *recording,
                       int wave, struct error *error);
void front_release(struct front *front);

/* Follows the first emission through the rows. A zero gradient is no arrival:
 * the next row is tested again. `toward` (ny, nx) has the true heading of the
 * cells that count for the errors against lag, 0, 0 for others; NULL: none.
 * laplace heads along ∇U of the rows' own sum, laplace-front of that of its
 * own wave, or by arrival-time −∇T; the time is the step. flux has a heading
 * when its sum is whole, and a lag of 0 alone.
 * STATUS_INPUT where not every step was recorded, or no gradient. */
enum status front_follow(struct front *front, const struct recording *recording,
                         int wave, const struct arrival_settings *settings,
                         const double (*toward)[2], struct error *error);

/* e = |atan2(g × u, g·u)|, radians; NaN where one of them is 0, 0. */
double heading_error(const double g[2], const double u[2]);

#endif
