/* SPDX-License-Identifier: MIT */
/* What the leapfrog keeps: without damping, between emissions and map events,
 *
 *   c2-laplacian  E = ½ Σ (z[k+1] − z[k])²/δᵢ + ½ Σ z[k+1] (K z[k])
 *   conservative  E = ½ Σ (z[k+1] − z[k])²    + ½ Σ z[k+1] (K z[k])
 *
 * with K the graph Laplacian, which holds the faces' δ in the second. */
#include "check_wave.h"

#include <math.h>

/* A sum that carries its rounding along (Neumaier 1974): the drift to be seen
 * is smaller than what a million plain additions lose. */
struct sum {
    double whole, lost;
};

static void sum_add(struct sum *sum, double term)
{
    double whole = sum->whole + term;
    sum->lost += fabs(sum->whole) >= fabs(term) ? (sum->whole - whole) + term
                                                : (term - whole) + sum->whole;
    sum->whole = whole;
}

double wave_energy(const struct law *law, const struct ground *ground,
                   const struct wave_row *row)
{
    struct sum sum = { 0 };
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        /* What is and was 0 adds nothing, whatever is around it. */
        if (row->now[i] == 0 && row->before[i] == 0)
            continue;
        struct link links[8];
        int count = ground_links(law, ground, i, links);
        double stretch = 0;
        for (int l = 0; l < count; l++) {
            double there = links[l].cell < 0 ? 0 : row->before[links[l].cell];
            stretch += links[l].weight * (row->before[i] - there);
        }
        double speed = row->now[i] - row->before[i];
        double mass = law->conservative ? 1 : 1 / ground->delta[i];
        sum_add(&sum, 0.5 * (speed * speed) * mass);
        sum_add(&sum, 0.5 * row->now[i] * stretch);
    }
    return sum.whole + sum.lost;
}

/* Measured at 1e-14 over 2000 steps in double; the rounding adds up as the
 * steps do, and scales with the precision. */
static double drift_bound(const struct law *law, int64_t steps)
{
    double bound = 1e-13 * (law_roundoff(law) / 0x1p-53);
    return steps > 2000 ? bound * (double)steps / 2000 : bound;
}

void check_energy(const struct law *law, const struct ground *ground,
                  const struct wave_row *row, struct energy *energy,
                  struct finding *finding)
{
    if (row->emitted < 0)
        return;
    int64_t start = row->mapped > row->emitted ? row->mapped : row->emitted;
    if (row->step == start)
        return;
    if (!row->before) {
        finding_skip(finding, 1, "needs a row for every step: record.every");
        return;
    }
    double now = wave_energy(law, ground, row);
    if (energy->since < 0 || energy->start != start) {
        *energy = (struct energy){ now, row->step, start };
        return;
    }
    if (energy->first == 0) {
        finding_skip(finding, 1, "the wave is 0 everywhere");
        return;
    }
    finding_within(finding, fabs(now / energy->first - 1),
                   drift_bound(law, row->step - energy->since),
                   &(struct spot){ row->wave, -1, row->step, -1 });
}
