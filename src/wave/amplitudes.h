/* SPDX-License-Identifier: MIT */
/* One generation of amplitudes as others look at it. */
#ifndef HAMON_WAVE_AMPLITUDES_H
#define HAMON_WAVE_AMPLITUDES_H

#include "world/grid.h"

#include <stddef.h>

struct layout; /* wave/layout.h */

/* A row of nx numbers every `row` numbers, a layer every `layer`, in the run's
 * precision; packed: nx and nx·ny. */
struct amplitudes {
    const void *values;
    ptrdiff_t row, layer;
    const struct box *lit; /* outside of it all are 0; NULL: not known */
    /* That of a wave, when they lie in it, and with them all that it says may
     * be read round them; NULL: they do not. */
    const struct layout *layout;
};

/* The view of a packed (nz, ny, nx) array. */
static inline struct amplitudes amplitudes_packed(const struct grid *grid,
                                                  const void *values)
{
    return (struct amplitudes){ .values = values,
                                .row = grid->nx,
                                .layer = (ptrdiff_t)grid->nx * grid->ny };
}

#endif
