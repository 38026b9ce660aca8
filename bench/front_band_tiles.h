/* SPDX-License-Identifier: MIT */
/* Inside the band of bench/front_time. */
#ifndef HAMON_BENCH_FRONT_BAND_TILES_H
#define HAMON_BENCH_FRONT_BAND_TILES_H

#include "front_band.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

enum { LANES = 16, ROWS = 16, VECTORS = 4 /* of a tile */ };

/* log2: what the largest |z| may have fallen by, what it is brought up by at
 * most, and what V grows by, from one look to the next. */
enum { FALLEN = 10, BROUGHT = 12, GROWN = 12 };

struct band_tile {
    /* A bit a vector, 4 a row: stepped; not dark; ever stepped; there are. */
    uint64_t active, lit, seen, mask;
    ptrdiff_t begin;
    struct box box;
};

/* Where the vector of a bit begins. */
static inline ptrdiff_t band_place(const struct band *band,
                                   const struct band_tile *tile, int bit)
{
    return tile->begin + bit / VECTORS * band->layout.stride +
           bit % VECTORS * LANES;
}

/* Vectors that are to be stepped from now on, unless they were once. */
static inline void band_wake(struct band_tile *tile, uint64_t vectors)
{
    tile->active |= vectors & tile->mask & ~tile->seen;
    tile->seen |= vectors & tile->mask;
}

/* The same for all that lie round those that have just been lit. */
void band_wake_round(struct band *band, int tile, uint64_t lit);

/* Puts the ghosts beside a tile at the map's edge right. */
void band_mirror(const struct band *band, const struct band_tile *tile,
                 float *field);

#endif
