/* SPDX-License-Identifier: MIT */
#include "summary.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double summary_quantile(const double *values, size_t count, double share)
{
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return values[count - 1];
    double part = place - (double)below;
    return values[below] + part * (values[below + 1] - values[below]);
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
        qsort(sample, count, sizeof *sample, ascending);
        medians[i] = summary_quantile(sample, count, 0.5);
    }
    qsort(medians, BOOTSTRAP_SAMPLES, sizeof *medians, ascending);
}

enum status summary_make(const double *values, size_t count,
                         struct summary *summary, struct error *error)
{
    double *sorted = memory_new(count, 2 * sizeof *sorted);
    double *medians = memory_new(BOOTSTRAP_SAMPLES, sizeof *medians);
    enum status status = sorted && medians ? STATUS_OK : error_memory(error);
    *summary = (struct summary){ 0, NAN, NAN, NAN, NAN, NAN };
    size_t n = 0;
    for (size_t i = 0; !status && i < count; i++)
        if (isfinite(values[i]))
            sorted[n++] = values[i];
    if (n) {
        qsort(sorted, n, sizeof *sorted, ascending);
        bootstrap(sorted, n, sorted + n, medians);
        *summary = (struct summary){
            .n = n,
            .median = summary_quantile(sorted, n, 0.5),
            .lower_quartile = summary_quantile(sorted, n, 0.25),
            .upper_quartile = summary_quantile(sorted, n, 0.75),
            .low = summary_quantile(medians, BOOTSTRAP_SAMPLES, 0.025),
            .high = summary_quantile(medians, BOOTSTRAP_SAMPLES, 0.975),
        };
    }
    memory_release(sorted);
    memory_release(medians);
    return status;
}
