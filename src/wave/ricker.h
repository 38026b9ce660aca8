/* SPDX-License-Identifier: MIT */
/* When a ricker source swings. */
#ifndef HAMON_WAVE_RICKER_H
#define HAMON_WAVE_RICKER_H

#include <math.h>

/* ω of the peak of its spectrum: the frequency of a plane wave of this
 * wavelength along an axis, from the dispersion relation sin(ω/2) = √δ
 * sin(π/λ). If √δ sin(π/λ) > 1 there is no such wave, and the highest
 * frequency, ω = π, is used. */
static inline double ricker_frequency(double delta, double wavelength)
{
    const double sine = sqrt(delta) * sin(3.14159265358979323846 / wavelength);
    return 2 * asin(sine < 1 ? sine : 1);
}

/* The generation after the emission about which it is symmetric: u = 18 at the
 * first one, where |w| < 6e-7, and so at the last, twice the delay. */
static inline double ricker_delay(double frequency)
{
    return 1 + ceil(2 * sqrt(18) / frequency);
}

#endif
