/* SPDX-License-Identifier: MIT */
/* The speed of waves of each length in a recording, compared with the law of
 * its stencil. */
#ifndef HAMON_ANALYSIS_STUDY_DISPERSION_H
#define HAMON_ANALYSIS_STUDY_DISPERSION_H

#include "recording/read/recording.h"
#include "view/arrival_run.h"
#include "wave/step/stencil.h"

/* Directions of waves: in 2D an axis and a diagonal; in 3D the 3 axes, the 6
 * diagonals of two axes and the 4 diagonals of all three. */
enum { DISPERSION_NUMBERS = 40, DISPERSION_WAYS_2D = 2, DISPERSION_WAYS = 13 };

/* (dx, dy, dz) in cells of the grid; opposite ones are one direction. `axes` of
 * them are not 0. */
struct dispersion_way {
    int step[GRID_AXES];
    int axes;
};
const struct dispersion_way *dispersion_way(int dims, int way);

/* Phase speeds ω/k over √δ, for wave numbers up to that of the shortest
 * wave. */
struct dispersion {
    int ways;
    double k[DISPERSION_WAYS][DISPERSION_NUMBERS];        /* radians a cell */
    double measured[DISPERSION_WAYS][DISPERSION_NUMBERS]; /* NaN: too weak */
    double law[DISPERSION_WAYS][DISPERSION_NUMBERS];
    int64_t rows; /* number of rows used */
};

/* ω of a plane wave by sin²(ω/2) = δ·law, the stencil's (stencil_law); NaN if
 * it grows. In 2D kz is 0. */
double dispersion_frequency(const double k[GRID_AXES], double delta,
                            const struct stencil *stencil);

/* A plane wave's part of the field, Z(k) = Σ z e^(−ik·x), fulfils Z[n+1] +
 * Z[n−1] = 2 cos ω · Z[n] in free space exactly; ω is the least-squares
 * estimate over all rows after the emission and before the map's edge is
 * reached. STATUS_INPUT if there are walls, areas of another speed or damping,
 * or too few such rows. */
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
