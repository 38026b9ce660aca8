/* SPDX-License-Identifier: MIT */
/* The first arrivals of a wave, computed from its recorded frames by the
 * detector's rule (arrival.c), or by the rules of laplace, whose own wave is in
 * no frame (own_wave.c). */
#ifndef HAMON_TESTS_ANALYSIS_RULES_ARRIVAL_H
#define HAMON_TESTS_ANALYSIS_RULES_ARRIVAL_H

#include "analysis/check/finding.h"
#include "analysis/check/wave.h"
#include "recording/read/tables.h"
#include "wave/arrival/arrival.h"

/* The first-arrival field of a wave's first emission. */
struct arrivals {
    int32_t *step;   /* (cells): the generation, −1 never */
    int64_t emitted; /* the first emission, −1: none yet */
    int64_t ended;   /* the emission after it, −1: none yet */
    bool broken;     /* a frame was missing */
};

/* Starts a new wave; `step` stays allocated by the caller. */
void check_arrivals_begin(const struct law *law, struct arrivals *arrivals);

void check_arrivals_take(const struct law *law,
                         const struct arrival_settings *settings,
                         const struct wave_row *row, struct arrivals *arrivals);

/* Compares the recorded field, packed over `known`, with the one computed from
 * the frames up to `last`. What arrives in the step of the next emission is in
 * no frame. */
void check_arrivals(const struct law *law, const struct arrivals *arrivals,
                    const struct box *known, int wave, int64_t last,
                    const double *recorded, struct finding *finding);

/* Fills `arrivals` for laplace, which needs no frame: only the map, the wave's
 * `count` emissions and the settings. */
enum status own_arrivals(const struct recording *recording,
                         const struct law *law,
                         const struct arrival_settings *settings,
                         const struct emission_row *emissions, size_t count,
                         struct arrivals *arrivals, struct error *error);

#endif
