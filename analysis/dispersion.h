/* SPDX-License-Identifier: MIT */
/* How fast waves of each length run in a recording, against the law of its
 * stencil. */
#ifndef HAMON_ANALYSIS_DISPERSION_H
#define HAMON_ANALYSIS_DISPERSION_H

#include "draw/arrival_run.h"
#include "recording/recording.h"

enum { DISPERSION_NUMBERS = 40 };

enum dispersion_way { ALONG_AXIS, ALONG_DIAGONAL, DISPERSION_WAYS };

/* Phase speeds ω/k over √δ, of wave numbers up to the shortest wave there is.
 */
struct dispersion {
    double k[DISPERSION_WAYS][DISPERSION_NUMBERS];        /* radians a cell */
    double measured[DISPERSION_WAYS][DISPERSION_NUMBERS]; /* NaN: too weak */
    double law[DISPERSION_WAYS][DISPERSION_NUMBERS];
    int64_t rows; /* that were used */
};

/* sin²(ω/2) = δ(Sx + Sy − nine·⅔·Sx·Sy), S = sin²(k/2): ω of a plane wave. */
double dispersion_frequency(double kx, double ky, double delta, bool nine);

/* A plane wave's share of the field, Z(k) = Σ z e^(−ik·x), goes as
 * Z[n+1] + Z[n−1] = 2 cos ω · Z[n] in free space, exactly; ω is the least
 * squares' over all rows in which the source is still and the map's edge is
 * not reached. STATUS_INPUT where the map is not of 2D, there are walls or
 * damping, or too few such rows. */
enum status dispersion_measure(const struct recording *recording, int wave,
                               struct dispersion *dispersion,
                               struct error *error);

/* ---- for its test ---- */

struct plane_wave {
    double before[2], now[2]; /* Z of the last two rows: real, imaginary */
    int64_t rows;
    double products, squares; /* Σ Z[n]·(Z[n+1] + Z[n−1]), Σ |Z[n]|² */
};
void plane_wave_take(struct plane_wave *wave, const double z[2]);
double plane_wave_frequency(const struct plane_wave *wave);

#endif
