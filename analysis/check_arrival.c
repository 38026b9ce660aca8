/* SPDX-License-Identifier: MIT */
#include "check_wave.h"

void detect_arrivals(const struct law *law,
                     const struct arrival_settings *settings,
                     const struct ground *ground, const struct generation *row,
                     int32_t *first)
{
    int64_t age = row->step - row->emitted;
    if (row->emitted < 0)
        return;
    if (age == 0) {
        first[row->source] = 0;
        return;
    }
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        if (first[i] >= 0 || ground->wall[i])
            continue;
        struct detector_sample sample = {
            .now = row->now[i],
            .before = row->before[i],
            .earlier = row->older ? row->older[i] : 0,
            .amplitude = law->amplitude,
            .age = age,
        };
        if (settings->detector->holds(settings, &sample))
            first[i] = (int32_t)row->step;
    }
}
