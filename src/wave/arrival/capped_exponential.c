/* SPDX-License-Identifier: MIT */
/* capped-exponential: |z| ≥ A·min(cap, e^(−βk)). The level decreases as the
 * front loses amplitude, so that it is crossed by the front and not by a later
 * reflection. */
#include "wave/arrival/plain.h"

#include <math.h>

static double level(const struct arrival_settings *settings, double amplitude,
                    int64_t age)
{
    return amplitude * fmin(settings->cap, exp(-settings->beta * (double)age));
}

const struct detector detector_capped_exponential = {
    .name = "capped-exponential",
    .keys = { "arrival.cap", "arrival.beta" },
    .holds = plain_holds,
    .level = level,
    PLAIN_DETECTOR,
};
