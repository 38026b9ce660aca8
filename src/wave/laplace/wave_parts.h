/* SPDX-License-Identifier: MIT */
/* What the two paths of the Laplace-weighted wave share: the plain one
 * (wave.c) and the band (band.c). */
#ifndef HAMON_WAVE_LAPLACE_WAVE_PARTS_H
#define HAMON_WAVE_LAPLACE_WAVE_PARTS_H

#include "wave/generations.h"
#include "wave/laplace/wave.h"

static inline bool laplace_wave_is_single(const struct laplace_wave *front)
{
    return front->medium->layout.item == sizeof(float);
}

/* Are cells closed at the present age (a look)? */
static inline bool laplace_wave_looks(const struct laplace_wave *front)
{
    return (front->age + 1) % front->look_every == 0;
}

/* Step 5, with `most` the largest |z| of open cells. */
void laplace_wave_bring_up(struct laplace_wave *front, double most,
                           struct team *team);

/* Stores a cell's arrivals of this age as its steps, except lost ones. */
void laplace_wave_store_step(struct laplace_wave *front, size_t cell);

#endif
