/* SPDX-License-Identifier: MIT */
/* A proportion and its interval. */
#ifndef HAMON_METRICS_PROPORTION_H
#define HAMON_METRICS_PROPORTION_H

#include "metrics/interval.h"

/* The 95 % quantile of the normal distribution, two-sided. */
#define NORMAL_95 1.959963984540054

/* hits/count with Wilson's score interval (1927), 95 %, of `hits` of `count`
 * trials. With p = hits/count and z = NORMAL_95 its ends are
 *
 *   (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n),
 *
 * which are also valid at proportions of 0 and 1. They are NAN if count is
 * under INTERVAL_TRIALS (interval.h), the proportion of none is. R:
 * prop.test(hits, count, correct = FALSE). */
struct estimate proportion_make(double hits, double count);

#endif
