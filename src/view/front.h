/* SPDX-License-Identifier: MIT */
/* The first front of a wave: when it came to each cell and where it pointed,
 * worked out from a recording's rows. 2D and 3D; vectors are (x, y, z), in 2D
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

/* Lags after the arrival at which the heading is looked at: 0 … 30 steps. */
enum { FRONT_LAGS = 31 };

/* Lags at which the causes of wrong headings are looked for. */
enum { FRONT_CAUSES = 5 };
extern const int front_cause_lags[FRONT_CAUSES]; /* 0, 2, 4, 8, 12 */

/* Where and how the wave goes round each heading: what its cause is found by.
 * Arrays are (nz, ny, nx). */
struct front_waves {
    double wrong; /* radians: headings farther off are wrong */
    double delta;
    int32_t *width;  /* local width (world/local_width.h) */
    int32_t *height; /* the second extent of the cross-section; NULL in 2D */
    int32_t *period; /* steps of the window: of the cutoff of these; without a
                        width, of the shortest side of the map */
    /* Of counted cells at each lag: the heading's error (radians, NaN: none),
     * and the sums from that step on over the window, or as far as it was
     * recorded. Headings that are not wrong may have none. */
    double (*error)[FRONT_CAUSES];
    struct cause_sums (*sums)[FRONT_CAUSES];
};

struct front {
    struct terrain terrain; /* walls alone, as they stood at the emission */
    size_t source;
    int64_t emitted;   /* the step */
    int64_t sent_anew; /* the step that ends what is followed; −1: none */
    int64_t rows;      /* of the recording that were followed */
    int32_t *step; /* (nz, ny, nx): the age at which the wave came; −1 never */
    double *time;  /* the same within the step; INFINITY never */
    double (*heading)[GRID_AXES]; /* unit, by the rule, at `step`; 0 never */
    /* Σ e² and how many, at each lag after the arrival; radians. */
    double lag_squares[FRONT_LAGS];
    int64_t lag_count[FRONT_LAGS];
    struct front_waves *waves; /* filled by front_follow; NULL: not required */
};

/* Opens the front: terrain and source, nothing arrived yet. STATUS_INPUT where
 * the recording is not of the whole map, or was never emitted.
 * Release with front_release, after a failure too. */
enum status front_open(struct front *front, const struct recording *recording,
                       int wave, struct error *error);
void front_release(struct front *front);

/* Makes front->waves, for walls that are fixed or free. */
enum status front_waves_new(struct front *front, double wrong, double delta,
                            bool fixed, struct error *error);

/* Follows the first emission through the rows. A zero gradient is no arrival:
 * the next row is tested again. `toward` (nz, ny, nx) has the true heading of
 * the cells that count for the errors against lag, 0 for others; NULL: none.
 * A detector with a wave of its own heads along ∇U of that, or by arrival-time
 * −∇T; the time is the step. flux has a heading when its sum is whole, and a
 * lag of 0 alone.
 * With front->waves `toward` is required too.
 * STATUS_INPUT where not every step was recorded, or no gradient. */
enum status front_follow(struct front *front, const struct recording *recording,
                         int wave, const struct arrival_settings *settings,
                         const double (*toward)[GRID_AXES],
                         struct error *error);

/* The angle between g and u, e = atan2(|g × u|, g·u), radians; NaN where one of
 * them is 0. */
double heading_error(const double g[GRID_AXES], const double u[GRID_AXES]);

#endif
