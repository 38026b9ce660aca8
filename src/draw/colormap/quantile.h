/* SPDX-License-Identifier: MIT */
/* A quantile of the sizes |v| of many values, counted in one pass: so many of
 * the values other than 0 are not larger. A few large ones, as an emission's,
 * then do not decide the colours of all others. */
#ifndef HAMON_DRAW_COLORMAP_QUANTILE_H
#define HAMON_DRAW_COLORMAP_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* Sizes are counted by the first 15 bits of their single precision: 128 counts
 * for each power of two, so a quantile is right to 1 part in 128. */
enum { QUANTILE_COUNTS = 1 << 15 };

struct quantile {
    uint64_t counts[QUANTILE_COUNTS], total;
    uint64_t zeros; /* not in total */
};

/* Counts the finite values; those with skip[i] ≠ 0 (NULL: none)
 * are skipped. */
void quantile_add(struct quantile *quantile, const double *values,
                  const unsigned char *skip, size_t count);
void quantile_join(struct quantile *quantile, const struct quantile *other);

/* The smallest bound that at least `share` (0 … 1) of the sizes are below; 0 if
 * there is none. */
double quantile_find(const struct quantile *quantile, double share);

/* The smallest of 1, 1.5, 2 … 9.5 times a power of ten that is at least
 * `value` > 0. */
double quantile_round(double value);

#endif
