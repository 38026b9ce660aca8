/* SPDX-License-Identifier: MIT */
/* The loops of the band (band.h), and what they work on. band.inc is compiled
 * for each precision and vector unit in a file of its own: all in one would
 * take minutes and hundreds of megabytes. */
#ifndef HAMON_WAVE_LAPLACE_BAND_LOOPS_H
#define HAMON_WAVE_LAPLACE_BAND_LOOPS_H

#include "wave/laplace/band.h"

enum { BAND_ROWS = 16, BAND_LINES = 4 /* lines of a row in a tile */ };

struct band_tile {
    /* One bit for each line, 4 lines in a row. mask: the lines that exist;
     * open: with open cells; active: stepped; lit: not all 0; touched: changed
     * since an emission began. Of the current generation: fresh: lit for the
     * first time; held: the detector's condition is true for the first time.
     * waiting: an open cell may not have an arrival yet (if arrivals are
     * stored). edge: at the map's edge. */
    uint64_t mask, open, active, lit, touched, fresh, held, waiting, edge;
    ptrdiff_t begin; /* of its first line, in the layout */
    struct box box;  /* its cells */
    double most;     /* the largest |z| of open cells, if this age is a look */
};

/* The index of the first item of the line of a bit. */
static inline ptrdiff_t band_place(const struct layout *layout,
                                   const struct band_tile *tile, int bit)
{
    const unsigned at = (unsigned)bit;
    return tile->begin + (ptrdiff_t)(at / BAND_LINES) * layout->stride +
           (ptrdiff_t)(at % BAND_LINES * layout->lanes);
}

/* The work of a generation. Two are summed in one pass. STEPS: an even
 * generation is stepped, and its sum is postponed (`owed` in laplace.h). SUMS:
 * the odd one after it is stepped and both are summed; LOOKS: with a look, at
 * every second one of these. ALL: one generation is stepped and summed, with a
 * look or not, with arrivals, and with the values that a source adds.
 *
 * If arrivals are stored, lines that wait for some are left out of STEPS, SUMS
 * and LOOKS. They are then done by ALL, which tests the sum of an even
 * generation without storing it (postpones), and adds both to that of an odd
 * one (owed). */
enum band_work { BAND_STEPS, BAND_SUMS, BAND_LOOKS, BAND_ALL, BAND_WORKS };

/* Values that all tiles of a generation share. */
struct band_pass {
    struct laplace_wave *front;
    struct sweep sweep;
    enum band_work work;
    bool looks, arrives, owed, postpones;
    bool again;       /* only the waiting lines; the others are done */
    ptrdiff_t driven; /* the cell of the source that adds a value; −1: none */
    double added;
    double by;       /* for `multiply`: the factor */
    double least[2]; /* for `store`: of laplace_least */
};

/* The loops of one precision and vector unit in 2D (flat) or 3D (solid). step:
 * by shape, form, free walls, number of sums less one, and kind of work. */
struct band_loops {
    const band_loop (*step)[FORMS][2][2][BAND_WORKS];
    band_loop multiply, catch_up, store;
};
extern const struct band_loops flat_single, flat_single_avx2,
    flat_single_avx512, flat_double, flat_double_avx2, flat_double_avx512,
    solid_single, solid_single_avx2, solid_single_avx512, solid_double,
    solid_double_avx2, solid_double_avx512;

#endif
