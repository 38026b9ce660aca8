/* SPDX-License-Identifier: MIT */
/* The front of the Laplace-weighted wave alone, stepped in the band of open
 * cells and summed in the pass that steps it: a prototype that tells what it
 * costs, for a uniform medium at δ = 1/4 in single precision, on machines with
 * AVX-512. What it is worth is told by `remedies front=1`.
 *
 * Cells stand in tiles of 16 rows × 4 vectors, a bit a vector. A vector whose
 * neighbours are all dark is not looked at; one that is lit lights up those
 * beside it. V above `closed` is that of a cell that was closed, or of a wall:
 * what a vector's cells are, their V tells, and nothing else is loaded. Every
 * fourth generation cells are closed (their V marked by a factor, their age
 * noted), vectors with none left are dropped, and the power of two is looked
 * after. */
#ifndef HAMON_BENCH_FRONT_BAND_H
#define HAMON_BENCH_FRONT_BAND_H

#include "wave/layout.h"
#include "wave/stencil.h"
#include "world/terrain.h"

struct band_options {
    const struct stencil *stencil;
    bool free_walls;
    double p, eta;
    bool by_time; /* two sums, of p times 1 ± 1/8 */
    bool field;   /* keep the age of each cell's first arrival too */
    int range;    /* log2 of the largest |z| over the smallest number */
};

struct band_tile;

struct band {
    struct layout layout;
    struct band_options options;
    struct band_tile *tile;
    int tiles, in_row, in_layer;
    float *now, *before;
    float *sum[2];        /* of the smaller p first, by which is closed */
    uint16_t *closed_at;  /* the age at which a cell was closed, plus 1 */
    uint16_t *arrived[2]; /* the age at which the detector held */
    uint16_t *walls;      /* a bit a cell, and outside */
    int32_t *scale_of;    /* of an age: the power of two, plus 1 */
    int32_t scale;
    int64_t age;
    float growth[2], ceiling, closed, mark, largest;
    int64_t vectors; /* that have been stepped since the emission */
};

/* Whether this machine can run it. */
bool band_can_run(void);

/* Release with band_release, a zeroed one too. */
enum status band_init(struct band *band, const struct terrain *terrain,
                      const struct band_options *options, struct error *error);
void band_release(struct band *band);

/* A wave goes out from the free cell `source`, of A = 1. */
void band_begin(struct band *band, size_t source);
void band_step(struct band *band);

/* ln U of a cell by the sum of the smaller p, −∞ where it is not closed yet. */
double band_log(const struct band *band, size_t cell);

#endif
