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

/* A cell whose V is at least this share of V of each neighbour, all open, is
 * not spoilt, also if this is tested in single precision. INFINITY if the share
 * is not the same for all cells. */
double laplace_wave_least(const struct laplace_wave *front,
                          const struct laplace *laplace);

/* Stores a cell's arrivals of this age as its steps, except lost ones. False if
 * one is undone, and may still come. */
bool laplace_wave_store_step(struct laplace_wave *front,
                             const int at[GRID_AXES]);

#endif
