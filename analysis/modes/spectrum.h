/* SPDX-License-Identifier: MIT */
/* Fourier transforms, by KissFFT in single precision. In a build without it
 * each function returns STATUS_FAILED. */
#ifndef HAMON_ANALYSIS_MODES_SPECTRUM_H
#define HAMON_ANALYSIS_MODES_SPECTRUM_H

#include "base/status.h"

#include <stddef.h>

/* Can this build compute them? */
enum status spectrum_check(struct error *error);

/* The envelope of a trace: the magnitude of its analytic signal, whose spectrum
 * has no negative frequencies. The trace is padded with as many zeros as it has
 * values, so that its end does not affect its start. STATUS_FAILED without
 * memory. */
enum status spectrum_envelope(const double *trace, size_t count,
                              double *envelope, struct error *error);

/* The power of a(t + 1, x) − a(t, x), of a(steps, length), over frequency and
 * wave number: of the rate of change, because a source that starts abruptly
 * leaves amplitudes of frequency 0 that would hide the rest. It is added to
 * power[frequencies][numbers]: at frequency top·(i + ½)/frequencies and wave
 * number π(j + ½)/numbers the maximum of the transform's bins there, both
 * directions added. Hann windows: in x over the cells from … to, in t about
 * step 0. Powers are in units of the square of `unit`, which is about the
 * largest |a|; that may be outside the range of single precision.
 * STATUS_FAILED: more values than a transform can have. */
enum status spectrum_power(const double *a, size_t steps, size_t length,
                           size_t from, size_t to, double unit, double top,
                           size_t frequencies, size_t numbers, double *power,
                           struct error *error);

#endif
