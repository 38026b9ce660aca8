/* SPDX-License-Identifier: MIT */
#include "metrics/holm.h"

#include <math.h>

/* The number of tests with a p of at least `p`. */
static double tests_from(const double *all, size_t count, double p)
{
    double tests = 0;
    for (size_t i = 0; i < count; i++)
        tests += all[i] >= p;
    return tests;
}

void holm_adjust(const double *p, size_t count, double *adjusted)
{
    for (size_t i = 0; i < count; i++)
        adjusted[i] = fmin(1, tests_from(p, count, p[i]) * p[i]);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (p[j] <= p[i] && adjusted[j] > adjusted[i])
                adjusted[i] = adjusted[j];
    for (size_t i = 0; i < count; i++)
        if (isnan(p[i]))
            adjusted[i] = NAN;
}
