/* SPDX-License-Identifier: MIT */
/* One generation of amplitudes as others look at it. */
#ifndef HAMON_WAVE_AMPLITUDES_H
#define HAMON_WAVE_AMPLITUDES_H

#include "world/grid.h"

#include <stddef.h>

/* A row of nx numbers every `row` numbers, a layer every `layer`, in the run's
 * precision. */
struct amplitudes {
    const void *values;
    ptrdiff_t row, layer;
    const struct box *lit; /* outside of it all are 0; NULL: not known */
};

#endif
