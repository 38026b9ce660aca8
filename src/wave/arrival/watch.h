/* SPDX-License-Identifier: MIT */
/* One watcher's view of one wave: fed each generation with what it sees at its
 * place, it reports the arrival, once an emission, or that one was lost. */
#ifndef HAMON_WAVE_ARRIVAL_WATCH_H
#define HAMON_WAVE_ARRIVAL_WATCH_H

#include "wave/arrival/arrival.h"

#include <stdbool.h>
#include <stdint.h>

enum { FLUX_STEPS = 40 };

/* What all watches of a wave share. */
struct arrival_rules {
    const struct arrival_settings *settings;
    double amplitude; /* A > 0 */
    double smallest;  /* FLT_MIN or DBL_MIN, the smallest the run holds */
    int64_t lifetime; /* T: detection runs at ages 1 … T */
};

enum arrival_news {
    ARRIVAL_NONE,
    ARRIVAL_CAME,
    /* The light cone passed a generation ago or more, the detector asks for no
     * more than the precision's smallest number, and there is still nothing:
     * the wave's tip was too small to hold. `arrival` has the age and zeros.
     * Reported once; an arrival may still come, late, behind what was lost. Of
     * a wave of its own: the detector holds, but by a sum that underflow has
     * spoilt, and nothing more comes from this emission. */
    ARRIVAL_LOST,
};

struct arrival_watch {
    bool reacted, lost;
    int64_t flux_from;      /* age at which summing began; 0: it has not */
    double flux_unit;       /* scale of the sum */
    double flux[GRID_AXES]; /* Σ ∂z/∂t·∇z over flux_unit² */
    struct arrival flux_arrival;
};

/* The wave goes out again: nothing has come yet. All zero is reset too. */
void arrival_watch_reset(struct arrival_watch *watch);

/* Takes the next generation. Fills `arrival` where the news are not none.
 *
 * A zero or non-finite gradient is no arrival; the next generation is tested
 * again. With the heading `flux` the arrival is reported when its sum is whole:
 * at the first change of z's sign, after FLUX_STEPS, or at the end of the
 * lifetime. A detector with a wave of its own heads along the look's gradient
 * whatever the rule, and reports ln U and that over U, ∇ln U or −∇T, which
 * every range has, as amplitude and gradient. */
enum arrival_news arrival_watch_feed(struct arrival_watch *watch,
                                     const struct arrival_rules *rules,
                                     const struct arrival_look *look,
                                     struct arrival *arrival);

#endif
