/* SPDX-License-Identifier: MIT */
/* Arrivals of a wave: their settings and results. This folder takes generations
 * of a wave, or steps its own (wave/laplace/), and finds when the wave arrives
 * at a place and in which direction its source is: detectors (detector.h),
 * first-arrival fields (field.h), the watch of one agent (watch.h).
 *
 * A is the source's amplitude, k the wave's age in generations at the tested
 * one. */
#ifndef HAMON_WAVE_ARRIVAL_ARRIVAL_H
#define HAMON_WAVE_ARRIVAL_ARRIVAL_H

#include "world/grid.h"

#include <stdbool.h>
#include <stdint.h>

struct detector; /* detector.h */

/* One element for each detector; ends with NULL. */
extern const struct detector *const detectors[];

/* The detector of this name, or NULL. */
const struct detector *detector_find(const char *name);

enum heading_rule {
    HEADING_SIGNED, /* sign(z)·∇z */
    HEADING_PAPER,  /* +∇z */
    HEADING_FLUX,   /* against the energy flow after the arrival */
    /* −∇T of the first-arrival field, or of the mean time of `laplace` */
    HEADING_ARRIVAL_TIME,
};
extern const char *const heading_rule_names[]; /* ends with NULL */

/* laplace: which stencil its own wave has. */
enum sum_stencil {
    SUM_STENCIL_WAVE, /* that of the run's wave, between its walls */
    /* 9- or 27-point with matched weights, between free walls (stencil_match).
     * With the heading arrival-time as SUM_STENCIL_WAVE. */
    SUM_STENCIL_MATCHED,
};
extern const char *const sum_stencil_names[]; /* ends with NULL */

struct arrival_settings {
    const struct detector *detector;
    enum heading_rule heading;
    double threshold; /* θ: the detector threshold requires |z| ≥ θA */
    double cap, beta; /* capped-exponential: |z| ≥ A·min(cap, e^(−βk)) */
    double p, eta;    /* laplace */
    int range;        /* laplace: bits; 0: chosen by the map */
    enum sum_stencil stencil; /* laplace */
    /* A wave that is older than the last one reacted to causes no arrival. */
    bool ignore_older;
};

/* heading = direction / |direction|, for any scale of it. False, and `heading`
 * all 0, if it is zero or not finite: then there is no heading. */
bool heading_unit(const double direction[GRID_AXES], double heading[GRID_AXES]);

/* Is it no heading, all 0? */
static inline bool heading_none(const double heading[GRID_AXES])
{
    return heading[0] == 0 && heading[1] == 0 && heading[2] == 0;
}

/* What a detector tests in one cell or at one place. */
struct detector_sample {
    double now, before; /* z[k] and z[k−1]; of a sum, its newest term y */
    double earlier;     /* z[k−2]; 0 at k = 1: before the emission */
    double amplitude;   /* A > 0 */
    int64_t age;        /* k ≥ 1 */
    double sum;         /* U, of a detector with its own wave */
};

/* The values at a place in the generation of `age`. */
struct arrival_look {
    int64_t age;
    double now, before; /* z of this generation and of the one before */
    double earlier;     /* z[k−2]; 0 if the detector does not test it */
    double gradient[GRID_AXES]; /* ∇z */
    /* For the heading arrival-time: see arrival_descent; all 0 if there is
     * none. */
    double descent[GRID_AXES];
    /* the age at which the light cone reached the nearest cell, or −1 */
    int64_t reached;
    /* Of a detector with its own wave: U. Then `now` is y and `gradient` ∇U,
     * all in units of e^log_unit. */
    double sum;
    double log_unit;
    bool spoilt; /* underflow has made the sum wrong */
};

struct arrival {
    int64_t age; /* at which the detector's condition became true */
    double amplitude;
    double gradient[GRID_AXES];
    double
        /* unit vector; all 0 (arrival-time): keep the old one */
        heading[GRID_AXES];
};

#endif
