/* SPDX-License-Identifier: MIT */
/* The first-arrival field of one emission: for every cell the age at which a
 * detector's condition is first true. It takes generations as packed (nz, ny,
 * nx) arrays and does not depend on a struct wave, so that generations of a
 * recording can be used as well. */
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
    int64_t lifetime; /* later ages belong to the next emission; 0: no limit */
    size_t width;     /* of a number: sizeof(float) or sizeof(double) */
    bool times;       /* keep `time` too */
};

struct arrival_field {
    struct grid grid;
    struct arrival_field_options options;
    int64_t age; /* of the last generation taken; −1 before the first */
    /* (nz, ny, nx): the first age at which the condition is true; 0 at the
     * source, −1 in walls and in cells that the wave has not reached. */
    int32_t *step;
    /* The same as a moment within the step, in generations: at which |z|
     * crosses the detector's level, if ln|z| and ln level are linear between
     * the two generations; for first-peak it equals `step`. +∞ if step is −1.
     * NULL unless options.times. */
    double *time;
    void *before, *earlier; /* the last two generations, as far as needed */
    kernel_mark mark;       /* the loop for this machine's vectors */
};

/* STATUS_INPUT if the detector has its own wave. Nothing is emitted yet.
 * Release with arrival_field_release. */
enum status arrival_field_init(struct arrival_field *field,
                               const struct grid *grid,
                               const struct arrival_field_options *options,
                               struct error *error);
void arrival_field_release(struct arrival_field *field);

/* Begins an emission from the free cell `source`, or from GRID_NOWHERE; earlier
 * ones are forgotten. */
void arrival_field_begin(struct arrival_field *field, size_t source);

/* Takes the generation of this age: first 0, that of the emission, then 1, 2, …
 * in order, up to the lifetime; a generation out of order is ignored. team may
 * be NULL. Allocates nothing. */
void arrival_field_take(struct arrival_field *field, const void *generation,
                        int64_t age, struct team *team);

/* Visits what a restart needs. */
void arrival_field_state(struct arrival_field *field, struct state *state);

/* −∇T at the cell nearest to `at`, upwind: on each axis towards the earlier
 * neighbour, if it is earlier than the cell. Cells with time +∞ are not used,
 * and if the cell's own time is still +∞ it counts as `now`. `descent` becomes
 * a unit vector. False, and all 0, if no neighbour can be used. */
bool arrival_descent(const struct grid *grid, const double *time,
                     const double at[GRID_AXES], double now,
                     double descent[GRID_AXES]);

#endif
