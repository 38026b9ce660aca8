/* SPDX-License-Identifier: MIT */
/* The first-arrival field of one emission: for every cell the age at which a
 * detector first holds. It is fed with generations as packed (nz, ny, nx)
 * arrays and knows no wave, so that a recording's rows serve as well. */
#ifndef HAMON_WAVE_ARRIVAL_FIELD_H
#define HAMON_WAVE_ARRIVAL_FIELD_H

#include "base/status.h"
#include "base/team.h"
#include "wave/arrival/arrival.h"
#include "wave/step/kernel.h"
#include "world/grid.h"
#include "world/state.h"

#include <stdbool.h>
#include <stdint.h>

struct arrival_field_options {
    const struct arrival_settings *settings; /* borrowed */
    double amplitude;                        /* A > 0 */
    int64_t lifetime; /* later ages are the next emission's; 0: none are */
    size_t width;     /* of a number: sizeof(float) or sizeof(double) */
    bool times;       /* keep `time` too */
};

struct arrival_field {
    struct grid grid;
    struct arrival_field_options options;
    int64_t age; /* of the last generation taken; −1 before the first */
    /* (nz, ny, nx): the first age at which the detector holds; 0 at the
     * source, −1 in walls and where the wave has not come. */
    int32_t *step;
    /* The same as a moment within the step, in generations: where |z| meets
     * the detector's level, both straight in their logarithms between the two
     * generations; `step` itself for first-peak. +∞ where step is −1. NULL
     * unless asked for. */
    double *time;
    void *before, *earlier; /* the last two generations, as far as needed */
    kernel_mark mark;       /* of the machine's vectors */
};

/* STATUS_INPUT where the detector has a wave of its own. Nothing has begun.
 * Release with arrival_field_release. */
enum status arrival_field_init(struct arrival_field *field,
                               const struct grid *grid,
                               const struct arrival_field_options *options,
                               struct error *error);
void arrival_field_release(struct arrival_field *field);

/* A wave goes out from the free cell `source`, or GRID_NOWHERE: forgets what
 * was before. */
void arrival_field_begin(struct arrival_field *field, size_t source);

/* Takes the generation `generation` of this age: 0, the emission's own, first,
 * then 1, 2, … in order, through the lifetime; what does not follow in this
 * order is passed over. team may be NULL. Allocates nothing. */
void arrival_field_take(struct arrival_field *field, const void *generation,
                        int64_t age, struct team *team);

/* What a restart needs of it. */
void arrival_field_state(struct arrival_field *field, struct state *state);

/* −∇T at the cell nearest to `at`, upwind: on each axis towards the earlier
 * neighbour, if that one is earlier than the cell. Cells of time +∞ are no
 * candidates, and a cell itself still at +∞ counts as of time `now`. `descent`
 * becomes a unit vector; false, and all 0, where there is no candidate. */
bool arrival_descent(const struct grid *grid, const double *time,
                     const double at[GRID_AXES], double now,
                     double descent[GRID_AXES]);

#endif
