/* SPDX-License-Identifier: MIT */
#include "metrics/proportion.h"

#include <math.h>

struct estimate proportion_make(double hits, double count)
{
    static const double z = NORMAL_95;
    double share = hits / count, wide = 1 + z * z / count;
    struct estimate estimate = { share, interval_none };
    if (!(count >= INTERVAL_TRIALS))
        return estimate;
    double middle = share + z * z / (2 * count);
    double half =
        z * sqrt(share * (1 - share) / count + z * z / (4 * count * count));
    estimate.interval.low = fmax(0, (middle - half) / wide);
    estimate.interval.high = fmin(1, (middle + half) / wide);
    return estimate;
}
