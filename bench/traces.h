/* SPDX-License-Identifier: MIT */
/* Shared by the files of bench/traces: one wave, or a march, and the heading it
 * gives each cell. */
#ifndef HAMON_BENCH_TRACES_H
#define HAMON_BENCH_TRACES_H

#include "scenario/scenario.h"
#include "search/fast_marching.h"

struct options {
    int spacing, marching; /* 0: the wave's headings */
    bool extrapolate, between, each;
};

struct study {
    const struct scenario *scenario;
    const struct options *options;
    struct terrain plain; /* only the walls, for lengths */
    size_t source;
    double source_at[GRID_AXES];
    double (*heading)[GRID_AXES]; /* (cells), all 0 before the arrival */
    uint8_t *reached;             /* (cells) from the source */
    double *shortest, *least;     /* (cells) */
};

/* Prints the error, and exits. */
void give_up(const struct error *error);

/* Solved from the cell `from`, on a grid `refine` times finer. */
struct fast_marching *march(const struct terrain *terrain, int refine,
                            size_t from);

/* ---- traces_headings.c: fill study->heading ---- */

bool is_reached(const struct study *study, size_t cell);
void follow_wave(const struct study *study);
void follow_fast_marching(const struct study *study);

#endif
