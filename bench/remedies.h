/* SPDX-License-Identifier: MIT */
/* Inside bench/remedies: one wave, and the heading that it gives each cell. */
#ifndef HAMON_BENCH_REMEDIES_H
#define HAMON_BENCH_REMEDIES_H

#include "analysis/study/reflection.h"
#include "base/status.h"
#include "wave/arrival/arrival.h"
#include "wave/wave.h"

/* What is done to the wave after each step; no remedies, but told as such. */
enum control {
    CONTROL_NONE,
    CONTROL_IGNITE, /* a cell becomes A when the wave first reaches it */
    CONTROL_SPONGE, /* both generations fade beside walls and edges */
};
extern const char *const control_names[]; /* ends with NULL */

struct study {
    struct wave_settings wave;
    struct arrival_settings arrival;
    int64_t steps;
    enum control control;
    int sponge;    /* cells that it is wide */
    double speed;  /* > 0: of a band to be crossed, instead of the maps */
    double ring;   /* > 0: the front's roundness at that radius too */
    double sight;  /* > 0: headings by the choice among nodes that far away */
    bool exact;    /* headings of the shortest paths: the floor of the metric */
    bool marching; /* headings of second-order fast marching, upwind */
    int source[2]; /* of the window */
    int box[4];    /* the window: its first and last column and row */
};

/* Memory for step, time and heading; no cell has an arrival. */
enum status make_front(struct front *front, struct error *error);

/* Fills front->step, time and heading; its terrain and source are there. */
enum status find_headings(const struct study *study, struct front *front,
                          struct error *error);

/* What a control does between two steps (remedies_controls.c): release with
 * controlled_release. Without a control it does nothing. */
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

/* Paths across a band of another speed, told in a line. */
enum status study_speed(const struct study *study, struct error *error);

#endif
