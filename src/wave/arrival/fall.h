/* SPDX-License-Identifier: MIT */
/* The decrease of a potential along a straight path in a uniform medium, away
 * from the source (detector.h, `potential`).
 *
 * U of a Laplace-weighted wave decreases there as e^(−τ(v)); v is the
 * displacement in cells and τ the norm
 *
 *   τ(v) = max k·v over all k with δ Σⱼ wⱼ(cosh(k·eⱼ) − 1) = 4 sinh²(p/2),
 *
 * the stencil's dispersion law with imaginary wave numbers. Minus a time of
 * arrival decreases by |v|/√δ, or by |v|/(c√δ) if the wave's speed is c. */
#ifndef HAMON_WAVE_ARRIVAL_FALL_H
#define HAMON_WAVE_ARRIVAL_FALL_H

#include "wave/wave.h"

#include <math.h>

/* τ(1, i/FALL_PARTS, j/FALL_PARTS); symmetry gives all other directions. */
enum { FALL_PARTS = 64 };
struct fall {
    double norm[FALL_PARTS + 1][FALL_PARTS + 1];
    /* Of a sum, which is matched in areas of other speeds (wave.h); NULL: of a
     * time. */
    const struct stencil *stencil;
    double delta, p;
    /* Correction between the centres of two cells of different speeds, because
     * a cell's own c² multiplies its Laplacian: the speed of the cell farther
     * from the source applies from so many cells nearer to the source on. 0 in
     * the conservative form, and if `borders`: there weights of pairs of cells
     * count each cell's speed up to their border (matched weights in 2D). */
    double behind;
    bool borders;
};

/* The decrease of ln U of a wave with these settings; and of minus a time in
 * steps, at `speed` cells a step. */
void fall_of_sum(const struct wave_settings *waves, double p,
                 struct fall *fall);
void fall_of_time(double speed, struct fall *fall);

/* (a − b)·by: for the potential that is such a difference. */
void fall_of_difference(const struct fall *a, const struct fall *b, double by,
                        struct fall *fall);

/* The decrease along a displacement at c = 1. */
static inline double fall_along(const struct fall *fall,
                                const double way[GRID_AXES])
{
    double x = fabs(way[0]), y = fabs(way[1]), z = fabs(way[2]);
    double most = fmax(x, fmax(y, z)), least = fmin(x, fmin(y, z));
    if (most == 0)
        return 0;
    double first = (x + y + z - most - least) / most * FALL_PARTS;
    double second = least / most * FALL_PARTS;
    int i = (int)first, j = (int)second;
    i = i < FALL_PARTS ? i : FALL_PARTS - 1;
    j = j < FALL_PARTS ? j : FALL_PARTS - 1;
    double s = first - i, t = second - j;
    const double *low = &fall->norm[i][j], *high = &fall->norm[i + 1][j];
    return most * ((1 - s) * ((1 - t) * low[0] + t * low[1]) +
                   s * ((1 - t) * high[0] + t * high[1]));
}

/* The decrease at speed c > 0 over that at c = 1, for a path along an axis. */
double fall_at_speed(const struct fall *fall, double speed);

#endif
