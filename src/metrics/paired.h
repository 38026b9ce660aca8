/* SPDX-License-Identifier: MIT */
/* Two pursuers on the same problems: which is faster, and how sure is that? */
#ifndef HAMON_METRICS_PAIRED_H
#define HAMON_METRICS_PAIRED_H

#include "base/status.h"
#include "metrics/survival.h"

#include <stddef.h>
#include <stdint.h>

/* The times of `one` and of `other` on the same problem and seed. */
struct pair {
    struct survival_time one, other;
    uint64_t group; /* pairs of a recording, or of a seed, have one number */
};

struct paired_estimate {
    double estimate, low, high;
};

struct paired {
    size_t n, groups;
    double limit; /* later times count as this, without a capture */
    size_t wins, ties, losses;         /* of `one` */
    struct paired_estimate wins_share; /* (wins + ties/2)/n */
    struct paired_estimate
        difference; /* of the restricted means: one − other */
    size_t tested;  /* pairs of Wilcoxon's test that differ */
    double p;       /* of that test; NAN: no pair differs */
};

/* A win is a capture while the other is known to be not captured; neither
 * captured, both in the same step, or one not observed for long enough, is a
 * tie. Intervals are of 95 %, by the bootstrap over groups: whole groups are
 * drawn with replacement (Davison and Hinkley 1997, 3.8), BOOTSTRAP_SAMPLES
 * times, and the percentiles are those of summary_ratio; none of one group. The
 * test is Wilcoxon's of the differences of times, of the pairs whose times are
 * known up to the limit. The same pairs in any order give the same. */
enum status paired_make(const struct pair *pairs, size_t count, double limit,
                        struct paired *paired, struct error *error);

#endif
