/* SPDX-License-Identifier: MIT */
#include "compare_quantile.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double quantile(const double *sorted, size_t count, double p)
{
    if (!count)
        return NAN;
    double place = (double)(count - 1) * p;
    size_t low = (size_t)place;
    if (low + 1 >= count)
        return sorted[count - 1];
    return sorted[low] +
           (place - (double)low) * (sorted[low + 1] - sorted[low]);
}

double quantile_sort(double *values, size_t count, double p)
{
    qsort(values, count, sizeof *values, ascending);
    return quantile(values, count, p);
}
