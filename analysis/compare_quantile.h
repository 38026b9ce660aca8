/* SPDX-License-Identifier: MIT */
/* Quantiles as R's type 7 and numpy take them: straight between the two values
 * round (count − 1)·p. */
#ifndef HAMON_ANALYSIS_COMPARE_QUANTILE_H
#define HAMON_ANALYSIS_COMPARE_QUANTILE_H

#include <stddef.h>

/* Of sorted values; NAN of none. */
double quantile(const double *sorted, size_t count, double p);

/* Sorts the values, none of them NAN, first. */
double quantile_sort(double *values, size_t count, double p);

#endif
