/* SPDX-License-Identifier: MIT */
/* The first arrivals, by the detector's rule on the recorded frames. */
#include "analysis/check/wave.h"

#include "wave/arrival/detector.h"

void check_arrivals_begin(const struct law *law, struct arrivals *arrivals)
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++)
        arrivals->step[i] = -1;
    arrivals->emitted = -1;
    arrivals->ended = -1;
    arrivals->broken = false;
}

static void detect(const struct law *law,
                   const struct arrival_settings *settings,
                   const struct wave_row *row, int64_t age,
                   struct arrivals *arrivals)
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        if (arrivals->step[i] >= 0)
            continue;
        /* z[−1] of age 1 does not exist: 0. */
        struct detector_sample sample = {
            .now = row->now[i],
            .before = row->before[i],
            .earlier = age > 1 ? row->older[i] : 0,
            .amplitude = law->amplitude,
            .age = age,
        };
        if (settings->detector->holds(settings, &sample))
            arrivals->step[i] = (int32_t)row->step;
    }
}

void check_arrivals_take(const struct law *law,
                         const struct arrival_settings *settings,
                         const struct wave_row *row, struct arrivals *arrivals)
{
    if (row->emitted < 0 || arrivals->ended >= 0)
        return;
    if (arrivals->emitted < 0)
        arrivals->emitted = row->emitted;
    if (arrivals->emitted != row->emitted) {
        arrivals->ended = row->emitted;
        arrivals->broken |= !row->before;
        return;
    }
    int64_t age = row->step - row->emitted;
    if (age == 0 && row->source != GRID_NOWHERE)
        arrivals->step[row->source] = (int32_t)row->step;
    else if (age == 0)
        return;
    else if (!row->before || (age > 1 && !row->older))
        arrivals->broken = true;
    else
        detect(law, settings, row, age, arrivals);
}

void check_arrivals(const struct law *law, const struct arrivals *arrivals,
                    const struct box *known, int wave, int64_t last,
                    const double *recorded, struct finding *finding)
{
    for (int z = known->low[2]; z <= known->high[2]; z++)
        for (int y = known->low[1]; y <= known->high[1]; y++)
            for (int x = known->low[0]; x <= known->high[0]; x++) {
                double value = *recorded++;
                size_t cell = grid_index(&law->grid, x, y, z);
                struct spot spot = { wave, -1, -1, (int64_t)cell };
                /* The field of a killed run may be ahead of its frames. */
                bool unseen =
                    arrivals->step[cell] < 0 && value >= 0 &&
                    (value == (double)arrivals->ended || value > (double)last);
                if (arrivals->broken)
                    finding_skip(finding, 1,
                                 "needs a row for every step: record.every");
                else if (unseen)
                    finding_skip(finding, 1, "arrivals that no row shows");
                else
                    finding_exact(finding, value, arrivals->step[cell], &spot);
            }
}
