/* SPDX-License-Identifier: MIT */
/* Definitions that the band (band.c) and its part beside neighbours
 * (band_halo.c) share. */
#ifndef HAMON_WAVE_LAPLACE_BAND_PARTS_H
#define HAMON_WAVE_LAPLACE_BAND_PARTS_H

#include "wave/laplace/band.h"

#include <string.h>

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

/* A line with cells of the halo: `cells` are those cells, `open` the open ones.
 * The bits of the band (front_band.open) contain this rank's own cells only. */
struct band_halo {
    ptrdiff_t at;
    int tile, bit;
    uint16_t cells, open;
};

/* The index of the first item of the line of a bit. */
static inline ptrdiff_t band_place(const struct layout *layout,
                                   const struct band_tile *tile, int bit)
{
    const unsigned at = (unsigned)bit;
    return tile->begin + (ptrdiff_t)(at / BAND_LINES) * layout->stride +
           (ptrdiff_t)(at % BAND_LINES * layout->lanes);
}

static inline bool band_line_is_dark(const struct layout *layout,
                                     const void *field, ptrdiff_t at)
{
    static const char dark[64];
    return memcmp(field_at(layout, field, at), dark, sizeof dark) == 0;
}

/* One bit for each cell of a line that is this rank's own; all of them if ranks
 * do not share the wave. */
uint16_t band_own_cells(const struct medium *medium,
                        const struct band_tile *tile, int bit);

/* ---- band_halo.c; if ranks share no wave these do nothing ---- */

/* front_band_release frees what it makes. */
enum status band_halo_new(const struct medium *medium, struct front_band *band,
                          struct error *error);

/* Which cells are open, from the arrays. */
void band_halo_read(struct laplace_wave *front);

/* All together, after a generation was stepped: z of the halo comes from the
 * neighbours. If `sums`, it is summed, after the generation before if that was
 * owed; if `looks`, cells are closed. */
void band_halo_take(struct laplace_wave *front, bool sums, bool owed,
                    bool looks);

/* As front_band_catch_up; and, all together, z and open V times `by`, a power
 * of two. */
void band_halo_catch_up(struct laplace_wave *front);
void band_halo_multiply(struct laplace_wave *front, double by);

#endif
