/* SPDX-License-Identifier: MIT */
/* The front of the Laplace-weighted wave stepped in the band of its open cells,
 * and summed in the pass that steps it: the fast path of laplace_front.h. It
 * works on the front's own arrays, so that it may take over, or leave off, at
 * any generation.
 *
 * A line of 64 bytes (layout.h) whose cells and neighbours are all dark is not
 * looked at; one that is lit lights up those beside it; one whose cells are all
 * closed, and their z 0 in both generations, is dropped. Lines stand in tiles
 * of 16 rows × 4, a bit each. Open cells are bits too, so that between looks
 * nothing but z and V is loaded. */
#ifndef HAMON_WAVE_LAPLACE_FRONT_BAND_H
#define HAMON_WAVE_LAPLACE_FRONT_BAND_H

#include "wave/generations.h"
#include "wave/laplace_front.h"

enum { BAND_ROWS = 16, BAND_LINES = 4 /* of a row */ };

struct band_tile {
    /* A bit a line, 4 a row: those that there are; with open cells; stepped;
     * not dark; not as an emission finds them; and of the generation in hand:
     * lit for the first time; in which the detector holds for the first time.
     * And those at the map's edge. */
    uint64_t mask, open, active, lit, touched, fresh, held, edge;
    ptrdiff_t begin; /* of its first line, in the layout */
    struct box box;  /* its cells */
    double most;     /* the largest |z| of open cells, at a look */
};

struct band_pass;

/* What a generation is to do: to step and sum, between looks; with a look; and
 * what else there may be, a source that adds or arrivals, with a look or not.
 */
enum band_work { BAND_STEPS, BAND_LOOKS, BAND_ALL, BAND_WORKS };

/* Does what it does to every tile that falls to a thread. */
typedef void (*band_loop)(const struct band_pass *pass, int thread,
                          int threads);

struct front_band {
    struct band_tile *tile;
    int tiles, in_row, in_layer;
    uint16_t *open; /* (lines of the layout): a bit a cell */
    bool stale;     /* the bits are not what the arrays are */
    band_loop step[BAND_WORKS];
    band_loop multiply;
};

/* What a generation's tiles have in common. */
struct band_pass {
    const struct laplace_front *front;
    struct sweep sweep;
    bool looks, arrives;
    ptrdiff_t driven; /* the cell that the source adds to; −1: none */
    double added;
    double by; /* of `multiply`: what it multiplies by */
};

/* Release with front_band_release. It has no loops yet, and is stale. */
enum status front_band_new(const struct laplace_front *front,
                           struct front_band **band, struct error *error);
void front_band_release(struct front_band *band);

/* The loops of this vector unit, or none: then the front is stepped plainly.
 * The band is stale. */
void front_band_set_level(struct laplace_front *front, enum kernel_level level);

static inline bool front_band_runs(const struct laplace_front *front)
{
    return front->band->step[0] != NULL;
}

/* What an emission before has left goes, by the walls that there are. */
void front_band_forget(struct laplace_front *front);

/* What is lit at first, after source and sums have been set. */
void front_band_light(struct laplace_front *front);

/* Steps 1 to 5, to the front's age, from the one before. */
void front_band_advance(struct laplace_front *front, struct team *team);

/* z and open V times 2^by. */
void front_band_multiply(struct laplace_front *front, int by,
                         struct team *team);

/* ---- inside it ---- */

/* Makes the bits anew from what the arrays are. */
void front_band_look_round(struct laplace_front *front);

/* Where the line of a bit begins. */
static inline ptrdiff_t band_place(const struct layout *layout,
                                   const struct band_tile *tile, int bit)
{
    const unsigned at = (unsigned)bit;
    return tile->begin + (ptrdiff_t)(at / BAND_LINES) * layout->stride +
           (ptrdiff_t)(at % BAND_LINES * layout->lanes);
}

/* Lines round those that have just been lit are stepped from now on. */
void band_wake_round(struct front_band *band, enum kernel_shape shape,
                     int tile);

#endif
