/* SPDX-License-Identifier: MIT */
/* Two pursuers on the same problems: which is faster, and with what
 * certainty. */
#ifndef HAMON_METRICS_PAIRED_H
#define HAMON_METRICS_PAIRED_H

#include "metrics/interval.h"
#include "metrics/survival.h"

#include <stddef.h>
#include <stdint.h>

/* The times of `one` and of `other` on the same problem and seed. */
struct pair {
    struct survival_time one, other;
    uint64_t group; /* the same for all pairs of a recording, or of a seed */
};

struct paired {
    size_t n, groups;
    double limit;               /* later times are censored at this */
    size_t wins, ties, losses;  /* of `one` */
    struct estimate wins_share; /* (wins + ties/2)/n */
    struct estimate difference; /* of the restricted means: one − other */
    /* Of the pairs with a capture: the quotients of their times, one/other. */
    size_t divided;
    struct estimate ratio; /* the median */
    double ratio_q1, ratio_q3;
    size_t tested; /* number of pairs in Wilcoxon's test: those that differ */
    double p;      /* of that test; NAN: no pair differs */
};

/* A win is a capture at a time at which the other has certainly not captured.
 * It is a tie if neither captures, if both do in the same step, or if one is
 * not observed for long enough. Intervals are of 95 %, by the bootstrap over
 * groups: whole groups are drawn with replacement (Davison and Hinkley 1997,
 * 3.8), BOOTSTRAP_SAMPLES times, and the percentiles are those of
 * summary_ratio; with fewer than INTERVAL_VALUES groups there is their range.
 * Quantiles of quotients are those of their logarithms, so that of exchanged
 * methods they are the reciprocals. If only `one` captures, a win, the quotient
 * is below all others; if only the other, a loss, above all: NAN if a quantile
 * is one of these. The test is Wilcoxon's, for the differences of times of the
 * pairs whose times are known up to the limit. The order of pairs does not
 * change the result. */
struct paired paired_make(const struct pair *pairs, size_t count, double limit);

#endif
