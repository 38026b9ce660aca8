/* SPDX-License-Identifier: MIT */
/* first-peak: the generation after the first maximum of |∂z/∂t|: the first at
 * which the rate has decreased and was above the floor before. */
#include "wave/arrival/plain.h"

#include <math.h>

/* Larger than rounding errors alone can make a wave. */
#define PEAK_FLOOR 1e-13

static bool holds(const struct arrival_settings *settings,
                  const struct detector_sample *sample)
{
    double rate = fabs(sample->now - sample->before);
    double rate_before = fabs(sample->before - sample->earlier);
    (void)settings;
    return rate_before >= PEAK_FLOOR * sample->amplitude && rate < rate_before;
}

const struct detector detector_first_peak = {
    .name = "first-peak",
    .holds = holds,
    PLAIN_DETECTOR,
};
