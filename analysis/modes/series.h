/* SPDX-License-Identifier: MIT */
/* The field of a corridor as a sum of modes: z(x, j, t) = Σ a_p(x, t) φ_p(j).
 */
#ifndef HAMON_ANALYSIS_MODES_SERIES_H
#define HAMON_ANALYSIS_MODES_SERIES_H

#include "analysis/modes/field.h"
#include "analysis/modes/modes.h"

/* Over time only the modes of the lowest cutoffs are stored; energies are of
 * all modes. */
enum { MODES_KEPT = 8 };

struct mode_series {
    int kept, length;
    int count;          /* number of modes: the cells of a cross-section */
    struct mode *modes; /* in the order of their cutoffs */
    int64_t steps;
    double *a;           /* (kept, steps, length) */
    double *energy;      /* (count, length), summed over all steps */
    double field_energy; /* the same for the whole field, without modes */
    double *profile; /* (kept, count): measured, see below; Σ profile² = 1 */
};

/* The energy between generations k and k + 1 is, over the corridor's cells,
 *
 *   ½ Σ (z[k+1] − z[k])²/δ + ½ Σ d[k+1]·d[k],
 *
 * with d the differences of neighbours, also to a fixed wall's 0. The second
 * sum is over all such pairs: each cell has half of a pair, or the whole of a
 * pair with a wall. Modes are orthogonal in all three sums (along the corridor,
 * across it, in time), so that their energies add up to the field's.
 *
 * A profile is measured without the mode's shape: in each cell j across, the
 * part of the field with the wave number k = ±π/4 and the mode's frequency
 * there by the law, over the cells from … to and all steps, each with Hann's
 * window: Z(j) = Σ w(x) w(t) z(x, j, t) e^(±ikx − iωt), turned by one phase
 * for all cells to be real; in the direction in which more of it travels. NaN
 * if the mode has less than 1e-12 of the energy, or if the window does not
 * separate its frequency from another mode's, as of 1;2 and 2;1 in a square
 * duct.
 *
 * Release with mode_series_release, after a failure too. */
enum status mode_series_make(const struct corridor_field *field, int from,
                             int to, struct mode_series *series,
                             struct error *error);

/* The wave number of the profiles. */
extern const double mode_profile_number;

/* The mode's amplitude in the cells across by its law, Σ² = 1: out[count]. */
void mode_series_shape(const struct corridor_field *field,
                       const struct mode_series *series, int mode, double *out);
void mode_series_release(struct mode_series *series);

/* a of a mode: (steps, length). */
static inline const double *mode_series_of(const struct mode_series *series,
                                           int mode)
{
    return series->a +
           (size_t)mode * (size_t)series->steps * (size_t)series->length;
}

/* Of a mode, over the whole corridor. */
double mode_series_energy(const struct mode_series *series, int mode);

/* ---- for its test ---- */

/* Adds the energy between two generations, (length, height, width) each, to
 * energy[count][length] by modes, whose shapes are (count, height, width);
 * returns that of the field without modes. */
double mode_energy_take(const struct corridor *corridor, double delta,
                        const struct mode *modes, const double *shapes,
                        const double *before, const double *now,
                        double *a_before, double *a_now, double *energy);

#endif
