/* SPDX-License-Identifier: MIT */
/* One generation of amplitudes, for reading. */
#ifndef HAMON_WAVE_AMPLITUDES_H
#define HAMON_WAVE_AMPLITUDES_H

#include "world/grid.h"

#include <stddef.h>

/* Rows of nx numbers; `row` and `layer` are the distances between rows and
 * between layers, in numbers of the run's precision. */
struct amplitudes {
    const void *values;
    ptrdiff_t row, layer;
    /* all amplitudes outside are 0; NULL: box not known */
    const struct box *lit;
};

#endif
