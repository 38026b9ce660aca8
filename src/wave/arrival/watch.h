/* SPDX-License-Identifier: MIT */
/* One agent's detection of one wave. It is given the values at its place in
 * each generation, and reports the arrival once in an emission, or that it was
 * lost. */
#ifndef HAMON_WAVE_ARRIVAL_WATCH_H
#define HAMON_WAVE_ARRIVAL_WATCH_H

#include "wave/arrival/arrival.h"

#include <stdbool.h>
#include <stdint.h>

enum { FLUX_STEPS = 40 };

/* The settings that all watches of a wave share. */
struct arrival_rules {
    const struct arrival_settings *settings;
    double amplitude; /* A > 0 */
    /* FLT_MIN or DBL_MIN, the smallest number of the run's precision */
    double smallest;
    int64_t lifetime; /* T: detection runs at ages 1 … T */
};

enum arrival_news {
    ARRIVAL_NONE,
    ARRIVAL_CAME,
    /* The light cone passed at least one generation ago, the detector's level
     * is not above the smallest number of the precision, and the amplitude is
     * still 0: the first part of the wave was too small for the precision.
     * `arrival` has the age and zeros. Reported once. An arrival may still
     * follow, later than the one that was lost. For a detector with its own
     * wave: its condition is true, but underflow has made the sum wrong, and
     * nothing more comes from this emission. */
    ARRIVAL_LOST,
};

/* All zeros: nothing of the emission has arrived yet. */
struct arrival_watch {
    bool reacted, lost;
    int64_t flux_from;      /* the age at which summing began; 0: not yet */
    double flux_unit;       /* scale of the sum */
    double flux[GRID_AXES]; /* Σ ∂z/∂t·∇z over flux_unit² */
    struct arrival flux_arrival;
};

/* Takes the next generation. Fills `arrival` if the result is not "none".
 *
 * A zero or non-finite gradient is no arrival; the next generation is tested
 * again. With the heading `flux` the arrival is reported when its sum is
 * complete: at the first change of z's sign, after FLUX_STEPS, or at the end of
 * the lifetime. A detector with its own wave takes the gradient of the look as
 * heading with every heading rule. As amplitude and gradient it reports ln U
 * and ∇ln U or −∇T, because U itself may be out of range. */
enum arrival_news arrival_watch_feed(struct arrival_watch *watch,
                                     const struct arrival_rules *rules,
                                     const struct arrival_look *look,
                                     struct arrival *arrival);

#endif
