/* SPDX-License-Identifier: MIT */
/* leading-edge: z ≠ 0. */
#include "wave/arrival/plain.h"

static double level(const struct arrival_settings *settings, double amplitude,
                    int64_t age)
{
    (void)settings, (void)amplitude, (void)age;
    return 0;
}

const struct detector detector_leading_edge = {
    .name = "leading-edge",
    .holds = plain_holds,
    .level = level,
    PLAIN_DETECTOR,
};
