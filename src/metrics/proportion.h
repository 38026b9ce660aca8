/* SPDX-License-Identifier: MIT */
/* The interval of a proportion. */
#ifndef HAMON_METRICS_PROPORTION_H
#define HAMON_METRICS_PROPORTION_H

/* The 95 % quantile of the normal distribution, two-sided. */
#define NORMAL_95 1.959963984540054

/* Wilson's score interval (1927), 95 %, of `hits` of `count` trials. With p =
 * hits/count and z = NORMAL_95 its ends are
 *
 *   (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n),
 *
 * which are also valid at proportions of 0 and 1. NAN if count is under
 * INTERVAL_TRIALS (interval.h). R: prop.test(hits, count, correct = FALSE). */
void proportion_interval(double hits, double count, double *low, double *high);

#endif
