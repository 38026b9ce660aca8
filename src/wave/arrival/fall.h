/* SPDX-License-Identifier: MIT */
/* What a potential falls by along a straight way in a uniform medium, away from
 * the source (detector.h, `potential`).
 *
 * U of a Laplace-weighted wave falls there as e^(−τ(v)), where v is the way in
 * cells and τ the norm
 *
 *   τ(v) = max k·v over all k with δ Σⱼ wⱼ(cosh(k·eⱼ) − 1) = 4 sinh²(p/2),
 *
 * the stencil's dispersion law with imaginary wave numbers. A time of arrival
 * falls by |v|/√δ, and by |v|/(c√δ) where the wave's speed is c. */
#ifndef HAMON_WAVE_ARRIVAL_FALL_H
#define HAMON_WAVE_ARRIVAL_FALL_H

#include "wave/step/stencil.h"

#include <math.h>

/* τ(1, i/FALL_PARTS, j/FALL_PARTS); by symmetry that is all of it. */
enum { FALL_PARTS = 64 };
struct fall {
    double norm[FALL_PARTS + 1][FALL_PARTS + 1];
    /* Of a sum, whose areas of other speeds are matched (wave.h); NULL: of a
     * time. */
    const struct stencil *stencil;
    double delta, p;
    /* Between the centres of two cells of other speeds it falls by what the
     * speed of the one farther from the source makes it fall by, as if that
     * began so many cells nearer to the source: a cell's own c² is what its
     * Laplacian is multiplied by. In the conservative form, 0. */
    double behind;
};

/* Of −ln U; of steps, at `speed` cells a step. */
void fall_of_sum(const struct stencil *stencil, double delta, double p,
                 struct fall *fall);
void fall_of_time(double speed, struct fall *fall);

/* (a − b)·by: of the potential that is such a difference. */
void fall_of_difference(const struct fall *a, const struct fall *b, double by,
                        struct fall *fall);

/* What a way falls by at c = 1. */
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

/* What it falls by at speed c > 0, over that at c = 1: as along an axis. */
double fall_at_speed(const struct fall *fall, double speed);

#endif
