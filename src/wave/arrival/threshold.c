/* SPDX-License-Identifier: MIT */
/* threshold: |z| ≥ θA. */
#include "wave/arrival/plain.h"

static double level(const struct arrival_settings *settings, double amplitude,
                    int64_t age)
{
    (void)age;
    return settings->threshold * amplitude;
}

const struct detector detector_threshold = {
    .name = "threshold",
    .keys = { "arrival.threshold" },
    .holds = plain_holds,
    .level = level,
    PLAIN_DETECTOR,
};
