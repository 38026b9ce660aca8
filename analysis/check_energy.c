/* SPDX-License-Identifier: MIT */
/* What the leapfrog keeps: without damping, between emissions and map events,
 *
 *   c2-laplacian  E = ½ Σ (z[k+1] − z[k])²/δᵢ + ½ Σ z[k+1] (K z[k])
 *   conservative  E = ½ Σ (z[k+1] − z[k])²    + ½ Σ z[k+1] (K z[k])
 *
 * with K the graph Laplacian, which holds the faces' δ in the second. δ and K
 * are taken as the run's precision rounds them, excess and all: that energy is
 * kept, whereas of the one of the page a free field's growing mean takes leave
 * with the square of time (3e-4 in 2500 steps in single precision). */
#include "check_sum.h"
#include "check_wave.h"

#include <math.h>

double wave_energy(const struct law *law, const struct ground *ground,
                   const struct wave_row *row, double *size)
{
    struct sum sum = { 0 };
    *size = 0;
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        /* What is and was 0 adds nothing, whatever is around it. */
        if (ground->wall[i] || (row->now[i] == 0 && row->before[i] == 0))
            continue;
        double delta =
            law->conservative ? 1 : law_rounded(law, ground->delta[i]);
        double stretch = -ground->excess[i] / delta * row->before[i];
        struct link links[8];
        int count = ground_links(law, ground, i, links);
        for (int l = 0; l < count; l++) {
            double there = links[l].cell < 0 ? 0 : row->before[links[l].cell];
            stretch +=
                law_rounded(law, links[l].weight) * (row->before[i] - there);
        }
        double speed = row->now[i] - row->before[i];
        double kinetic = 0.5 * (speed * speed) / delta;
        double potential = 0.5 * row->now[i] * stretch;
        sum_add(&sum, kinetic);
        sum_add(&sum, potential);
        *size += kinetic + fabs(potential);
    }
    return sum_total(&sum);
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
    double size, now = wave_energy(law, ground, row, &size);
    if (energy->since < 0 || energy->start != start) {
        *energy = (struct energy){ now, row->step, start };
        return;
    }
    if (energy->first == 0) {
        finding_skip(finding, 1, "the wave is 0 everywhere");
        return;
    }
    finding_within(finding, fabs(now - energy->first) / size,
                   drift_bound(law, row->step - energy->since),
                   &(struct spot){ row->wave, -1, row->step, -1 });
}
