/* SPDX-License-Identifier: MIT */
/* Shared by the files of bench/remedies: one wave, and the heading that it
 * gives each cell. */
#ifndef HAMON_BENCH_REMEDIES_H
#define HAMON_BENCH_REMEDIES_H

#include "analysis/study/reflection.h"
#include "base/status.h"
#include "wave/arrival/arrival.h"
#include "wave/wave.h"

/* Changes of the wave after each step; these are no remedies, and are reported
 * as controls. */
enum control {
    CONTROL_NONE,
    CONTROL_IGNITE, /* a cell becomes A when the wave first reaches it */
    CONTROL_SPONGE, /* both generations are damped near walls and edges */
};
extern const char *const control_names[]; /* ends with NULL */

struct study {
    struct wave_settings wave;
    struct arrival_settings arrival;
    int64_t steps;
    enum control control;
    int sponge;    /* its width in cells */
    double speed;  /* > 0: that of a band that paths cross, instead of the
                    * maps */
    double ring;   /* > 0: also the front's roundness at this radius */
    double sight;  /* > 0: headings by the choice among nodes up to this
                    * distance */
    bool exact;    /* headings of the shortest paths: the best possible
                    * result */
    bool marching; /* headings of second-order fast marching, upwind */
    int source[2]; /* of the window */
    int box[4];    /* the window: its first and last column and row */
};

/* Memory for step, time and heading; no cell has an arrival. */
enum status make_front(struct front *front, struct error *error);

/* Fills front->step, time and heading; its terrain and source are set. */
enum status find_headings(const struct study *study, struct front *front,
                          struct error *error);

/* The change by a control between two steps (remedies_controls.c): release with
 * controlled_release. Without a control there is none. */
struct controlled {
    const struct study *study;
    const struct terrain *terrain;
    void *newest, *older;
    double *factor;   /* sponge: (cells) */
    uint8_t *ignited; /* (cells) */
};
enum status controlled_init(struct controlled *controlled,
                            const struct study *study,
                            const struct terrain *terrain, struct error *error);
void controlled_release(struct controlled *controlled);
void controlled_apply(struct controlled *controlled, struct wave *wave,
                      int64_t step);

/* Paths across a band of another speed, printed in one line. */
enum status study_speed(const struct study *study, struct error *error);

#endif
