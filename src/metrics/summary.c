/* SPDX-License-Identifier: MIT */
#include "metrics/summary.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/random.h"
#include "base/real.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

double summary_mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : NAN;
}

void summary_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, real_compare);
}

double summary_quantile(const double *sorted, size_t count, double share)
{
    if (!count)
        return NAN;
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    double part = place - (double)below;
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

/* Medians of samples drawn with replacement. */
static void bootstrap(const double *values, size_t count, double *sample,
                      double *medians)
{
    struct random random;
    random_seed(&random, BOOTSTRAP_SEED);
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++) {
        for (size_t j = 0; j < count; j++)
            sample[j] = values[random_below(&random, count)];
        summary_sort(sample, count);
        medians[i] = summary_quantile(sample, count, 0.5);
    }
    summary_sort(medians, BOOTSTRAP_SAMPLES);
}

struct summary summary_make(const double *values, size_t count)
{
    struct summary summary = { 0, NAN, NAN, NAN, interval_none };
    double *sorted = need_memory(count, 2 * sizeof *sorted);
    double *medians = need_memory(BOOTSTRAP_SAMPLES, sizeof *medians);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            sorted[n++] = values[i];
    if (n) {
        summary_sort(sorted, n);
        bootstrap(sorted, n, sorted + n, medians);
        summary = (struct summary){
            .n = n,
            .median = summary_quantile(sorted, n, 0.5),
            .lower_quartile = summary_quantile(sorted, n, 0.25),
            .upper_quartile = summary_quantile(sorted, n, 0.75),
            .interval = interval_of(
                n, summary_quantile(medians, BOOTSTRAP_SAMPLES, 0.025),
                summary_quantile(medians, BOOTSTRAP_SAMPLES, 0.975), sorted[0],
                sorted[n - 1]),
        };
    }
    memory_release(sorted);
    memory_release(medians);
    return summary;
}

/* ---- ratios ---- */

/* P(|T| ≤ t) of Student's t (Abramowitz and Stegun 26.7.3 and 26.7.4). */
static double t_within(double t, size_t freedom)
{
    double angle = atan(t / sqrt((double)freedom)), cosine = cos(angle);
    bool odd = freedom % 2;
    double term = odd ? cosine : 1, sum = freedom > 1 ? term : 0;
    for (size_t k = odd ? 3 : 2; k < freedom; k += 2) {
        term *= cosine * cosine * ((double)k - 1) / (double)k;
        sum += term;
    }
    return odd ? 2 / acos(-1) * (angle + sin(angle) * sum) : sin(angle) * sum;
}

/* The tail of the normal distribution beyond t √(n/(n − 1)). */
double summary_tail(size_t n)
{
    double low = 1, high = 20;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(t_within(middle, n - 1) < .95 ? &low : &high) = middle;
    }
    return erfc(low * sqrt((double)n / (double)(n - 1)) / sqrt(2)) / 2;
}

static void resample(const double *sums, const double *weights, size_t n,
                     double *ratios)
{
    struct random random;
    random_seed(&random, BOOTSTRAP_SEED);
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++) {
        double sum = 0, weight = 0;
        for (size_t k = 0; k < n; k++) {
            size_t drawn = random_below(&random, n);
            sum += sums[drawn];
            weight += weights[drawn];
        }
        ratios[i] = sum / weight;
    }
    summary_sort(ratios, BOOTSTRAP_SAMPLES);
}

struct ratio summary_ratio(const double *sums, const double *weights,
                           size_t count)
{
    struct ratio ratio = { 0, NAN, interval_none };
    double *kept = need_memory(count, 2 * sizeof *kept);
    double *ratios = need_memory(BOOTSTRAP_SAMPLES, sizeof *ratios);
    double sum = 0, weight = 0, least = INFINITY, largest = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!(weights[i] > 0))
            continue;
        kept[ratio.n] = sums[i];
        kept[count + ratio.n++] = weights[i];
        sum += sums[i];
        weight += weights[i];
        least = fmin(least, sums[i] / weights[i]);
        largest = fmax(largest, sums[i] / weights[i]);
    }
    if (ratio.n)
        ratio.estimate = sum / weight;
    if (ratio.n > 1) {
        double tail = summary_tail(ratio.n);
        resample(kept, kept + count, ratio.n, ratios);
        ratio.interval = interval_of(
            ratio.n, summary_quantile(ratios, BOOTSTRAP_SAMPLES, tail),
            summary_quantile(ratios, BOOTSTRAP_SAMPLES, 1 - tail), least,
            largest);
    }
    memory_release(kept);
    memory_release(ratios);
    return ratio;
}
