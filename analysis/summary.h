/* SPDX-License-Identifier: MIT */
/* A handful of numbers summed up: median, quartiles, and how sure the median
 * is. */
#ifndef HAMON_ANALYSIS_SUMMARY_H
#define HAMON_ANALYSIS_SUMMARY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct summary {
    size_t n; /* finite numbers; where it is 0 all else is NAN */
    double median, lower_quartile, upper_quartile;
    /* The bootstrap interval of the median, percentiles 2.5 and 97.5 of
     * BOOTSTRAP_SAMPLES medians (Efron 1979). */
    double low, high;
};

enum { BOOTSTRAP_SAMPLES = 2000, BOOTSTRAP_SEED = 1 };

/* Of the finite ones among `count` values; the same numbers in any order give
 * the same summary. */
enum status summary_make(const double *values, size_t count,
                         struct summary *summary, struct error *error);

/* The quantile of `count` ≥ 1 ascending values, straight between neighbours
 * (Hyndman and Fan 1996, type 7: R's and numpy's default). */
double summary_quantile(const double *ascending, size_t count, double share);

#endif
