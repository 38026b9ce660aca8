/* SPDX-License-Identifier: MIT */
#include "metrics/proportion.h"

#include "metrics/interval.h"

#include <math.h>

void proportion_interval(double hits, double count, double *low, double *high)
{
    static const double z = NORMAL_95;
    *low = *high = NAN;
    if (!(count >= INTERVAL_TRIALS))
        return;
    double share = hits / count, wide = 1 + z * z / count;
    double middle = share + z * z / (2 * count);
    double half =
        z * sqrt(share * (1 - share) / count + z * z / (4 * count * count));
    *low = fmax(0, (middle - half) / wide);
    *high = fmin(1, (middle + half) / wide);
}
