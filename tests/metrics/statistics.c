/* SPDX-License-Identifier: MIT */
/* Prints 20 generated data sets and the results of src/metrics for them;
 * statistics.R computes the same again. A line is a word and numbers. */
#include "base/random.h"
#include "metrics/holm.h"
#include "metrics/proportion.h"
#include "metrics/survival.h"
#include "metrics/wilcoxon.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 20, MOST = 300 };

/* n; of 100 chases the number that are censored early; times are whole numbers
 * up to `range`; no chase is longer than the step limit. */
static const struct set {
    int n, censored, range, limit;
} sets[SETS] = {
    { 1, 0, 100, 200 },     { 1, 100, 100, 200 },   { 2, 0, 50, 60 },
    { 2, 50, 50, 60 },      { 4, 0, 1000, 500 },    { 5, 0, 1000, 2000 },
    { 6, 100, 1000, 2000 }, { 8, 20, 10, 20 },      { 10, 0, 4, 10 },
    { 12, 0, 1000, 300 },   { 15, 40, 1000, 800 },  { 20, 0, 1000, 500 },
    { 25, 30, 12, 9 },      { 40, 0, 5000, 9000 },  { 49, 10, 100000, 100000 },
    { 50, 10, 1000, 700 },  { 60, 0, 30, 20 },      { 100, 60, 1000, 900 },
    { 200, 5, 5000, 4000 }, { 300, 25, 600, 1000 },
};

static void put(const char *name, const double *values, int count)
{
    fputs(name, stdout);
    for (int i = 0; i < count; i++)
        printf(" %.17g", values[i]);
    putchar('\n');
}

/* Each point has seven numbers; the times of the numbers at risk are ten parts
 * of the limit. */
static void put_curve(const struct survival_time *times, int n, double limit)
{
    enum { NUMBERS = 7, RISKS = 11 };
    struct survival_point points[MOST + 1];
    double said[NUMBERS * MOST], risks[2 * RISKS];
    const size_t count = survival_curve(times, (size_t)n, points);
    for (size_t i = 1; i < count; i++) {
        const struct survival_point *p = &points[i];
        const double numbers[NUMBERS] = { p->time,
                                          (double)p->at_risk,
                                          (double)p->captured,
                                          (double)p->censored,
                                          p->surviving,
                                          p->low,
                                          p->high };
        memcpy(said + NUMBERS * (i - 1), numbers, sizeof numbers);
    }
    put("curve", said, NUMBERS * (int)(count - 1));
    for (int i = 0; i < RISKS; i++) {
        risks[i] = floor(limit * i / (RISKS - 1));
        risks[RISKS + i] = (double)survival_at_risk(times, (size_t)n, risks[i]);
    }
    put("risks", risks, 2 * RISKS);
}

static void put_survival(const struct survival_time *times, int n, double limit)
{
    const struct survival s = survival_make(times, (size_t)n, limit);
    double given[2 * MOST];
    for (int i = 0; i < n; i++) {
        given[i] = times[i].time;
        given[n + i] = times[i].captured;
    }
    put("times", given, n);
    put("captured", given + n, n);
    const double said[] = { limit,
                            s.lower_quartile.at,
                            s.median.at,
                            s.upper_quartile.at,
                            s.lower_quartile.low,
                            s.median.low,
                            s.upper_quartile.low,
                            s.lower_quartile.high,
                            s.median.high,
                            s.upper_quartile.high,
                            s.mean,
                            s.error };
    put("survival", said, 12);
    put_curve(times, n, limit);
    double count = (double)s.captured;
    const struct interval of = proportion_make(count, n).interval;
    put("proportion", (const double[]){ count, n, of.low, of.high }, 4);
}

static void put_wilcoxon(const double *differences, int n)
{
    const struct wilcoxon w = wilcoxon_make(differences, (size_t)n);
    put("differences", differences, n);
    put("wilcoxon", (const double[]){ w.v, w.p, w.exact }, 3);
}

static void put_holm(struct random *random, int n)
{
    double p[MOST], adjusted[MOST];
    for (int i = 0; i < n; i++)
        p[i] = i % 5 == 4 ? p[i - 1] : pow(random_unit(random), 4);
    holm_adjust(p, (size_t)n, adjusted);
    put("p", p, n);
    put("holm", adjusted, n);
}

/* Differences: from the same range, so that the narrow ones have ties and
 * zeros; the wide ones are made to differ in size. */
static void put_set(const struct set *set, struct random *random)
{
    struct survival_time times[MOST] = { { 0 } };
    double differences[MOST];
    for (int i = 0; i < set->n; i++) {
        double time = (double)random_below(random, (uint64_t)set->range);
        bool seen = (int)random_below(random, 100) >= set->censored;
        times[i].time = fmin(time, set->limit);
        times[i].captured = seen && time <= set->limit;
        differences[i] =
            time - (double)random_below(random, (uint64_t)set->range);
        if (set->range >= 1000)
            differences[i] += .3 * set->range + 1e-3 * i;
    }
    put_survival(times, set->n, set->limit);
    put_wilcoxon(differences, set->n);
    put_holm(random, set->n);
}

int main(void)
{
    struct random random;
    random_seed(&random, 23);
    for (int i = 0; i < SETS; i++)
        put_set(&sets[i], &random);
    return 0;
}
