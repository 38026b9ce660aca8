/* SPDX-License-Identifier: MIT */
#include "draw/colormap/quantile.h"

#include <math.h>
#include <string.h>

void quantile_add(struct quantile *quantile, const double *values,
                  const unsigned char *skip, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float size = fabsf((float)values[i]);
        if ((skip && skip[i]) || !isfinite(size))
            continue;
        quantile->zeros += size == 0;
        if (size == 0)
            continue;
        uint32_t bits;
        memcpy(&bits, &size, sizeof bits);
        quantile->counts[bits >> 16]++;
        quantile->total++;
    }
}

void quantile_join(struct quantile *quantile, const struct quantile *other)
{
    for (size_t i = 0; i < QUANTILE_COUNTS; i++)
        quantile->counts[i] += other->counts[i];
    quantile->total += other->total;
    quantile->zeros += other->zeros;
}

double quantile_find(const struct quantile *quantile, double share)
{
    double wanted = share * (double)quantile->total;
    uint64_t below = 0;
    uint32_t i = 0;
    if (!quantile->total)
        return 0;
    while (i < QUANTILE_COUNTS - 1) {
        below += quantile->counts[i++];
        if (below && (double)below >= wanted)
            break;
    }
    uint32_t bits = i << 16;
    float bound;
    memcpy(&bound, &bits, sizeof bound);
    return (double)bound;
}

double quantile_round(double value)
{
    double power = pow(10, floor(log10(value)));
    double halves = ceil(2 * value / power * (1 - 1e-12));
    return halves / 2 * power;
}
