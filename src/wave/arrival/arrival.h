/* SPDX-License-Identifier: MIT */
/* Arrivals of a wave: what they are made from, and what they are. This folder
 * takes generations of a wave, or steps one (wave/laplace/), and gives when it
 * arrives at a place and which way it then points: detectors (detector.h),
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

/* One row each; ends with NULL. */
extern const struct detector *const detectors[];

/* The detector of this name, or NULL. */
const struct detector *detector_find(const char *name);

enum heading_rule {
    HEADING_SIGNED, /* sign(z)·∇z */
    HEADING_PAPER,  /* +∇z */
    HEADING_FLUX,   /* against the energy that flows past after the arrival */
    HEADING_ARRIVAL_TIME, /* −∇T of the first-arrival field, or of laplace's
                             mean time */
};
extern const char *const heading_rule_names[]; /* ends with NULL */

struct arrival_settings {
    const struct detector *detector;
    enum heading_rule heading;
    double threshold; /* θ: threshold holds at |z| ≥ θA */
    double cap, beta; /* capped-exponential: |z| ≥ A·min(cap, e^(−βk)) */
    double p, eta;    /* laplace */
    int range;        /* the same: bits, 0: by the walls */
    /* A wave older than the last one reacted to is no arrival any more. */
    bool ignore_older;
};

/* `direction` at length 1, whatever its scale; false, and `heading` all 0,
 * where it is zero or not finite: that is no heading. */
bool heading_unit(const double direction[GRID_AXES], double heading[GRID_AXES]);

/* Is this no heading, all 0? */
static inline bool heading_none(const double heading[GRID_AXES])
{
    return heading[0] == 0 && heading[1] == 0 && heading[2] == 0;
}

/* What a detector tests in one cell or at one place. */
struct detector_sample {
    double now, before; /* z[k] and z[k−1]; with a sum, its newest term y */
    double earlier;     /* z[k−2]; 0 at k = 1: before the emission */
    double amplitude;   /* A > 0 */
    int64_t age;        /* k ≥ 1 */
    double sum;         /* of a detector with a wave of its own: U */
};

/* What is seen at a place in the generation of `age`. */
struct arrival_look {
    int64_t age;
    double now, before; /* z of this generation and of the one before */
    double earlier;     /* z[k−2]; 0 where the detector does not test it */
    double gradient[GRID_AXES]; /* ∇z */
    /* For the heading arrival-time: see arrival_descent; all 0 for none. */
    double descent[GRID_AXES];
    int64_t reached; /* by the light cone at the nearest cell, or −1 */
    /* Of a detector with a wave of its own: U; then `now` is y and `gradient`
     * ∇U, all in units of e^log_unit. */
    double sum;
    double log_unit;
    bool spoilt; /* the sum is made of what underflow left */
};

struct arrival {
    int64_t age; /* at which the detector held */
    double amplitude;
    double gradient[GRID_AXES];
    double
        heading[GRID_AXES]; /* unit; all 0 (arrival-time): keep the old one */
};

#endif
