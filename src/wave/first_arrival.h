/* SPDX-License-Identifier: MIT */
/* The first arrivals of one emission by any detector: an arrival field, or for
 * `laplace` the sum, or two, that it listens to. Fed with packed generations, a
 * run's own or a recording's rows; `laplace-front` has a wave of its own, and
 * takes from what it is fed with no more than that a generation went by. */
#ifndef HAMON_WAVE_FIRST_ARRIVAL_H
#define HAMON_WAVE_FIRST_ARRIVAL_H

#include "wave/arrival_field.h"
#include "wave/laplace_front.h"

struct first_arrival_options {
    const struct arrival_settings *settings; /* borrowed */
    double amplitude;                        /* A > 0 */
    int64_t lifetime; /* later ages are the next emission's; 0: none are */
    size_t width;     /* of a number: sizeof(float) or sizeof(double) */
    bool times;       /* keep the moments within the step, where there are */
    bool matched;     /* the wave's stencil is the 9-point one */
    /* For laplace-front: what its wave runs in, which the terrain's owner keeps
     * up; NULL: a medium of its own, with these settings. */
    const struct medium *medium;
    const struct wave_settings *wave;
};

struct first_arrival {
    bool by_laplace, by_front;
    struct arrival_field field; /* else */
    struct laplace_pair laplace;
    struct laplace_front front;
    struct medium *medium; /* the front's own; NULL: it is borrowed */
    size_t source;
};

/* Borrows terrain. Nothing has begun. Release with first_arrival_release, a
 * zeroed one too. */
enum status first_arrival_init(struct first_arrival *first,
                               const struct terrain *terrain,
                               const struct first_arrival_options *options,
                               struct error *error);
void first_arrival_release(struct first_arrival *first);

/* As arrival_field_begin and arrival_field_take; with laplace-front `source` is
 * a cell of the whole grid, as for wave_emit. */
void first_arrival_begin(struct first_arrival *first, size_t source);
void first_arrival_take(struct first_arrival *first, const void *generation,
                        int64_t age, struct team *team);

/* The generation of this age is there, before the terrain changes:
 * `laplace-front` takes it from its own wave, the others wait for
 * first_arrival_take. */
void first_arrival_go_on(struct first_arrival *first, int64_t age,
                         struct team *team);

/* The terrain changed inside `box`, after the generation that was told last. */
void first_arrival_update(struct first_arrival *first, const struct box *box);

/* (nz, ny, nx): the age of the first arrival, 0 at the source, −1 none (yet),
 * LAPLACE_LOST none, and none will come. */
const int32_t *first_arrival_ages(const struct first_arrival *first);

/* The sums that headings are read from; NULL where the detector has none. */
const struct laplace_pair *
first_arrival_sums(const struct first_arrival *first);

/* What a restart needs of it; the terrain is loaded before. */
void first_arrival_state(struct first_arrival *first, struct state *state);

#endif
