/* SPDX-License-Identifier: MIT */
/* The front of the Laplace-weighted wave stepped in the band of its open cells,
 * and summed in the pass that steps it: the fast path of wave.h. It
 * works on the front's own arrays, so that it may take over, or leave off, at
 * any generation.
 *
 * A line of 64 bytes (layout.h) whose cells and neighbours are all dark is not
 * looked at; one that is lit lights up those beside it; one whose cells are all
 * closed, and their z 0 in both generations, is dropped. Lines stand in tiles
 * of 16 rows × 4, a bit each. Open cells are bits too, so that between looks
 * nothing but z and V is loaded. */
#ifndef HAMON_WAVE_LAPLACE_BAND_H
#define HAMON_WAVE_LAPLACE_BAND_H

#include "wave/generations.h"
#include "wave/laplace/wave.h"

struct band_tile;
struct band_pass;

/* Works on every tile that falls to a thread. */
typedef void (*band_loop)(const struct band_pass *pass, int thread,
                          int threads);

struct front_band {
    struct band_tile *tile;
    int tiles, in_row, in_layer;
    uint16_t *open;        /* (lines of the layout): a bit a cell */
    bool stale;            /* the bits are not what the arrays are */
    size_t cells;          /* of the lines that were stepped last */
    const band_loop *step; /* by what there is to do; NULL: the band rests */
    band_loop multiply, catch_up;
};

/* Release with front_band_release. It rests yet, and is stale. */
enum status front_band_new(const struct laplace_wave *front,
                           struct front_band **band, struct error *error);
void front_band_release(struct front_band *band);

/* The loops of this vector unit, but for a rank's share; or none: then the
 * front is stepped plainly. The band is stale. */
void front_band_set_level(struct laplace_wave *front, enum kernel_level level);
void front_band_rest(struct laplace_wave *front);

static inline bool front_band_runs(const struct laplace_wave *front)
{
    return front->band->step != NULL;
}

/* What an emission before has left goes, by the walls that there are. */
void front_band_forget(struct laplace_wave *front);

/* What is lit at first, after source and sums have been set. */
void front_band_light(struct laplace_wave *front);

/* Steps 1 to 5, to the front's age, from the one before. */
void front_band_advance(struct laplace_wave *front, struct team *team);

/* The sums have the front's age. */
void front_band_catch_up(struct laplace_wave *front);

/* z and open V times 2^by. */
void front_band_multiply(struct laplace_wave *front, int by, struct team *team);

#endif
