/* SPDX-License-Identifier: MIT */
/* The state of a Laplace-weighted wave (wave.h), which its two paths share: the
 * plain one (wave.c) and the band (band.c). */
#ifndef HAMON_WAVE_LAPLACE_FRONT_H
#define HAMON_WAVE_LAPLACE_FRONT_H

#include "wave/generations.h"
#include "wave/laplace/pair.h"

struct laplace_wave {
    struct laplace_pair pair; /* for reading, use its functions */
    const struct medium *medium;
    struct wave *wave; /* z of age `age`, times 2^scale */
    int64_t age;       /* −1 before the first emission */
    int32_t scale;
    bool past_source;  /* the source's cell was closed since the emission */
    bool faded;        /* and after that: the wave is 0 in all open cells */
    int32_t *scale_of; /* (ages): the scale of cells closed at an age */
    size_t ages;
    int look_every;
    double largest, ceiling;
    struct front_row *row;   /* (nz·ny): of the current generation */
    struct front_band *band; /* wave/laplace/band.h */
};

static inline bool laplace_wave_is_single(const struct laplace_wave *front)
{
    return front->medium->layout.item == sizeof(float);
}

/* Are cells closed at the present age (a look)? */
static inline bool laplace_wave_looks(const struct laplace_wave *front)
{
    return (front->age + 1) % front->look_every == 0;
}

#endif
