/* SPDX-License-Identifier: MIT */
#include "metrics/paired.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/random.h"
#include "metrics/summary.h"
#include "metrics/wilcoxon.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Times after the limit are censored at it. */
static struct survival_time cut(struct survival_time time, double limit)
{
    time.captured = time.captured && time.time <= limit;
    time.time = fmin(time.time, limit);
    return time;
}

static bool is_before(const struct survival_time *a,
                      const struct survival_time *b)
{
    return a->captured &&
           (b->captured ? b->time > a->time : b->time >= a->time);
}

/* +1: a win of `one`, −1: a loss, 0: a tie. */
static int outcome_of(const struct pair *pair)
{
    return is_before(&pair->one, &pair->other) -
           is_before(&pair->other, &pair->one);
}

/* ---- the pairs by group, and the times in order ---- */

/* The logarithm of a pair's quotient of times. */
struct quotient {
    double log;
    size_t group;
};

struct sample {
    struct pair *pairs;                /* (n), cut at the limit, by group */
    struct survival_time *one, *other; /* (n), times of the pairs, sorted */
    double *scores, *sizes;     /* (groups): Σ of wins + ties/2, and pairs */
    double *drawn;              /* (groups): how often in a bootstrap sample */
    struct quotient *quotients; /* (divided), ascending */
    double *differences;        /* (the maximum of n and BOOTSTRAP_SAMPLES) */
    size_t n, groups, divided;
};

static void release(struct sample *sample)
{
    memory_release(sample->pairs);
    memory_release(sample->one);
    memory_release(sample->other);
    memory_release(sample->scores);
    memory_release(sample->sizes);
    memory_release(sample->drawn);
    memory_release(sample->quotients);
    memory_release(sample->differences);
}

static struct sample sample_of(size_t n)
{
    size_t most = n > BOOTSTRAP_SAMPLES ? n : BOOTSTRAP_SAMPLES;
    return (struct sample){
        .pairs = need_memory(n, sizeof(struct pair)),
        .one = need_memory(n, sizeof(struct survival_time)),
        .other = need_memory(n, sizeof(struct survival_time)),
        .scores = need_memory(n, sizeof(double)),
        .sizes = need_memory(n, sizeof(double)),
        .drawn = need_memory(n, sizeof(double)),
        .quotients = need_memory(n, sizeof(struct quotient)),
        .differences = need_memory(most, sizeof(double)),
        .n = n,
    };
}

static int by_group(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return (x->group > y->group) - (x->group < y->group);
}

/* Numbers the groups from 0 in ascending order. */
static void take_pairs(struct sample *sample, const struct pair *pairs,
                       double limit)
{
    for (size_t i = 0; i < sample->n; i++)
        sample->pairs[i] =
            (struct pair){ cut(pairs[i].one, limit), cut(pairs[i].other, limit),
                           pairs[i].group };
    qsort(sample->pairs, sample->n, sizeof *sample->pairs, by_group);
    for (size_t i = 0; i < sample->n; i++) {
        struct pair *pair = &sample->pairs[i];
        if (i == 0 || pair->group != pair[-1].group)
            sample->groups++;
        size_t group = sample->groups - 1;
        pair->one.group = pair->other.group = group;
        sample->sizes[group]++;
        sample->scores[group] += (1 + outcome_of(pair)) / 2.;
        sample->one[i] = pair->one;
        sample->other[i] = pair->other;
    }
    survival_sort(sample->one, sample->n);
    survival_sort(sample->other, sample->n);
}

/* ---- estimates ---- */

static void count_outcomes(const struct sample *sample, struct paired *paired)
{
    for (size_t i = 0; i < sample->n; i++) {
        int outcome = outcome_of(&sample->pairs[i]);
        paired->wins += outcome > 0;
        paired->ties += outcome == 0;
        paired->losses += outcome < 0;
    }
}

/* An estimate from the groups, each as often as it is drawn; NULL: all once. */
typedef double estimator(const struct sample *sample, const double *drawn,
                         double limit);

static double difference_of(const struct sample *sample, const double *drawn,
                            double limit)
{
    return survival_mean(sample->one, drawn, sample->n, limit) -
           survival_mean(sample->other, drawn, sample->n, limit);
}

static double weight_of(const struct quotient *quotient, const double *drawn)
{
    return drawn ? drawn[quotient->group] : 1;
}

/* The logarithm at this place, from 0, of the quotients as often as drawn. */
static double quotient_at(const struct sample *sample, const double *drawn,
                          double place)
{
    size_t i = 0;
    for (; i + 1 < sample->divided; i++) {
        place -= weight_of(&sample->quotients[i], drawn);
        if (place < 0)
            break;
    }
    return sample->quotients[i].log;
}

/* As summary_quantile. */
static double ratio_quantile(const struct sample *sample, const double *drawn,
                             double share)
{
    double count = 0;
    for (size_t i = 0; i < sample->divided; i++)
        count += weight_of(&sample->quotients[i], drawn);
    if (count == 0)
        return NAN;
    const double place = share * (count - 1), below = floor(place);
    const double low = quotient_at(sample, drawn, below);
    const double high =
        place > below ? quotient_at(sample, drawn, below + 1) : low;
    return low == high ? low : low + (place - below) * (high - low);
}

static double ratio_of(const struct sample *sample, const double *drawn,
                       double limit)
{
    (void)limit;
    return ratio_quantile(sample, drawn, .5);
}

/* The smallest and the largest estimate of a group alone. */
static void range_of(const struct sample *sample, estimator *of, double limit,
                     double *least, double *largest)
{
    *least = INFINITY;
    *largest = -INFINITY;
    memset(sample->drawn, 0, sample->groups * sizeof *sample->drawn);
    for (size_t k = 0; k < sample->groups; k++) {
        sample->drawn[k] = 1;
        double estimate = of(sample, sample->drawn, limit);
        sample->drawn[k] = 0;
        *least = fmin(*least, estimate);
        *largest = fmax(*largest, estimate);
    }
}

/* Samples without an estimate are left out. */
static struct interval bootstrap(struct sample *sample, estimator *of,
                                 double limit)
{
    double *found = sample->differences, least, largest;
    double tail = summary_tail(sample->groups);
    size_t count = 0;
    struct random random;
    random_seed(&random, BOOTSTRAP_SEED);
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++) {
        memset(sample->drawn, 0, sample->groups * sizeof *sample->drawn);
        for (size_t k = 0; k < sample->groups; k++)
            sample->drawn[random_below(&random, sample->groups)]++;
        found[count] = of(sample, sample->drawn, limit);
        count += !isnan(found[count]);
    }
    summary_sort(found, count);
    range_of(sample, of, limit, &least, &largest);
    return interval_of(sample->groups, summary_quantile(found, count, tail),
                       summary_quantile(found, count, 1 - tail), least,
                       largest);
}

/* ---- quotients ---- */

static int by_log(const void *a, const void *b)
{
    const struct quotient *x = a, *y = b;
    return (x->log > y->log) - (x->log < y->log);
}

static void take_quotients(struct sample *sample)
{
    for (size_t i = 0; i < sample->n; i++) {
        const struct pair *pair = &sample->pairs[i];
        const double one = pair->one.time, other = pair->other.time;
        const int outcome = outcome_of(pair);
        double log_of = outcome > 0 ? -INFINITY : INFINITY;
        if (pair->one.captured && pair->other.captured)
            log_of = outcome ? log(one / other) : 0;
        else if (!outcome)
            continue;
        sample->quotients[sample->divided++] =
            (struct quotient){ log_of, pair->one.group };
    }
    qsort(sample->quotients, sample->divided, sizeof *sample->quotients,
          by_log);
}

static double quotient_of(double log_of)
{
    return isfinite(log_of) ? exp(log_of) : NAN;
}

static void divide(struct sample *sample, struct paired *paired)
{
    struct interval interval = interval_none;
    take_quotients(sample);
    paired->divided = sample->divided;
    paired->ratio_q1 = quotient_of(ratio_quantile(sample, NULL, .25));
    paired->ratio_q3 = quotient_of(ratio_quantile(sample, NULL, .75));
    if (sample->divided && sample->groups > 1)
        interval = bootstrap(sample, ratio_of, paired->limit);
    paired->ratio = (struct estimate){
        quotient_of(ratio_of(sample, NULL, paired->limit)),
        { quotient_of(interval.low), quotient_of(interval.high),
          quotient_of(interval.least), quotient_of(interval.largest) }
    };
}

static bool is_known(const struct survival_time *time, double limit)
{
    return time->captured || time->time >= limit;
}

static void test(const struct sample *sample, struct paired *paired)
{
    size_t known = 0;
    for (size_t i = 0; i < sample->n; i++) {
        const struct pair *pair = &sample->pairs[i];
        if (is_known(&pair->one, paired->limit) &&
            is_known(&pair->other, paired->limit))
            sample->differences[known++] = pair->one.time - pair->other.time;
    }
    struct wilcoxon wilcoxon = wilcoxon_make(sample->differences, known);
    paired->tested = wilcoxon.n;
    paired->p = wilcoxon.p;
}

static void describe(struct sample *sample, struct paired *paired)
{
    struct ratio ratio =
        summary_ratio(sample->scores, sample->sizes, sample->groups);
    count_outcomes(sample, paired);
    test(sample, paired);
    paired->groups = sample->groups;
    paired->wins_share = (struct estimate){ ratio.estimate, ratio.interval };
    paired->difference.estimate = difference_of(sample, NULL, paired->limit);
    if (sample->groups > 1)
        paired->difference.interval =
            bootstrap(sample, difference_of, paired->limit);
    divide(sample, paired);
}

struct paired paired_make(const struct pair *pairs, size_t count, double limit)
{
    const struct estimate none = { NAN, interval_none };
    struct sample sample = sample_of(count);
    struct paired paired = { .n = count,
                             .limit = limit,
                             .wins_share = none,
                             .difference = none,
                             .ratio = none,
                             .ratio_q1 = NAN,
                             .ratio_q3 = NAN,
                             .p = NAN };
    if (count) {
        take_pairs(&sample, pairs, limit);
        describe(&sample, &paired);
    }
    release(&sample);
    return paired;
}
