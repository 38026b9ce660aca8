/* SPDX-License-Identifier: MIT */
#include "metrics/interval.h"

#include <math.h>
#include <stdbool.h>

const struct interval interval_none = { NAN, NAN, NAN, NAN };

struct interval interval_of(size_t count, double low, double high, double least,
                            double largest)
{
    struct interval interval = interval_none;
    if (count >= INTERVAL_VALUES) {
        interval.low = low;
        interval.high = high;
    } else if (count > 1) {
        interval.least = least;
        interval.largest = largest;
    }
    return interval;
}

void interval_bar(const struct interval *interval, double *low, double *high)
{
    const bool longer = interval->high > interval->low;
    *low = longer ? interval->low : NAN;
    *high = longer ? interval->high : NAN;
}
