/* SPDX-License-Identifier: MIT */
/* Wilcoxon's signed-rank test (1945): are differences symmetric about 0? */
#ifndef HAMON_METRICS_WILCOXON_H
#define HAMON_METRICS_WILCOXON_H

#include <stdbool.h>
#include <stddef.h>

struct wilcoxon {
    size_t n;   /* number of differences other than 0; zeros are left out */
    double v;   /* sum of the ranks of the positive ones */
    double p;   /* two-sided; NAN if n is 0 */
    bool exact; /* of the distribution of v; else the normal approximation */
};

/* Ranks of equal sizes are their mean. p is exact for n < 50 without a 0 and
 * without equal sizes: the fraction of the 2^n choices of signs. Else, by
 * Lehmann (1975), with t_j sizes equal,
 *
 *   z = (|v − n(n + 1)/4| − 1/2)/σ,
 *   σ² = n(n + 1)(2n + 1)/24 − Σ (t_j³ − t_j)/48.
 *
 * R: wilcox.test(differences). */
struct wilcoxon wilcoxon_make(const double *differences, size_t count);

#endif
