/* SPDX-License-Identifier: MIT */
/* The colours' numbers of many values at once: the same as scale_level of each,
 * by a table, with a cost independent of the scale. */
#ifndef HAMON_DRAW_COLORMAP_LEVELS_H
#define HAMON_DRAW_COLORMAP_LEVELS_H

#include "draw/colormap/colormap.h"
#include "draw/colormap/scale.h"

#include <stdbool.h>
#include <stdint.h>

enum { LEVELS_STARTS = 1 << 16 };

struct levels {
    /* Level k has the values from from[k] to below from[k + 1]; the last has no
     * end (NaN). */
    double from[COLORMAP_SIZE + 1];
    /* A level near that of a value, by the value's sign, exponent and first
     * seven digits in single precision. */
    uint8_t start[LEVELS_STARTS];
};

void levels_make(const struct scale *scale, struct levels *levels);

/* The levels of `count` values, 0 for NaN; returns true if one is NaN. */
bool levels_of(const struct levels *levels, const double *values, size_t count,
               uint8_t *numbers);

#endif
