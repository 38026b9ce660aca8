/* SPDX-License-Identifier: MIT */
/* Statistics of a few numbers: median and quartiles, a ratio of sums, and their
 * intervals. */
#ifndef HAMON_METRICS_SUMMARY_H
#define HAMON_METRICS_SUMMARY_H

#include "metrics/interval.h"

#include <stddef.h>
#include <stdint.h>

struct summary {
    size_t n; /* finite numbers; if it is 0 all other members are NAN */
    double median, lower_quartile, upper_quartile;
    /* The bootstrap interval of the median, percentiles 2.5 and 97.5 of
     * BOOTSTRAP_SAMPLES medians (Efron 1979). */
    struct interval interval;
};

enum { BOOTSTRAP_SAMPLES = 2000, BOOTSTRAP_SEED = 1 };

/* Of the finite ones among `count` values; their order does not change the
 * summary. */
struct summary summary_make(const double *values, size_t count);

/* A ratio Σ sums / Σ weights, e.g. a mean square over cells of several
 * readings. */
struct ratio {
    size_t n; /* readings with a weight > 0; if it is 0 all other members are
               * NAN */
    double estimate;
    /* The 95 % bootstrap interval over readings, of BOOTSTRAP_SAMPLES samples.
     * Its percentiles are expanded (Hesterberg 2015) to the tails of Student's
     * t with n − 1 degrees of freedom and the variance of n − 1: plain ones are
     * too narrow for few readings. For 2 to 4 readings they would be the
     * minimum and the maximum, which cover .5, .75 and .875. */
    struct interval interval;
};

/* The result depends on the order of the readings. */
struct ratio summary_ratio(const double *sums, const double *weights,
                           size_t count);

/* The fraction of a bootstrap distribution of n ≥ 2 readings below such an
 * interval, and the same above it. */
double summary_tail(size_t n);

/* NAN of none. */
double summary_mean(const double *values, size_t count);

/* In ascending order; none may be NAN. */
void summary_sort(double *values, size_t count);

/* The quantile of ascending values, by linear interpolation between the two
 * neighbours of (count − 1)·share (Hyndman and Fan 1996, type 7: the default of
 * R and numpy); NAN of none. */
double summary_quantile(const double *sorted, size_t count, double share);

#endif
