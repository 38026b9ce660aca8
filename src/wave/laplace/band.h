/* SPDX-License-Identifier: MIT */
/* The fast path of wave.h: it steps only the band of cells that are still open,
 * and sums in the same pass. It works on the arrays of `struct laplace_wave`,
 * so that it may take over from the plain path, or stop, at any generation.
 *
 * A line is 64 bytes (layout.h). A line is skipped while all its cells and
 * their neighbours are 0. A line with a nonzero cell makes the lines beside it
 * active. A line is dropped when all its cells are closed and their z is 0 in
 * both generations. Lines are grouped into tiles of 16 rows × 4 lines, one bit
 * for each line. Open cells are bits too, so that between looks only z and V
 * are loaded.
 *
 * If ranks share the wave, each has the band of its own cells, and the lines of
 * its halo. */
#ifndef HAMON_WAVE_LAPLACE_BAND_H
#define HAMON_WAVE_LAPLACE_BAND_H

#include "wave/laplace/front.h"

struct band_tile;
struct band_pass;

/* Works on every tile of a thread. */
typedef void (*band_loop)(const struct band_pass *pass, int thread,
                          int threads);

struct front_band {
    struct band_tile *tile;
    int tiles, in_row, in_layer;
    /* (lines of the layout): one bit for each cell. open: open; held: the
     * detector's condition has just become true, of the lines in band_tile.held
     * (NULL without steps). */
    uint16_t *open, *held;
    struct band_halo *halo; /* if ranks share the wave */
    size_t halo_lines;
    bool stale;            /* the bits do not match the arrays */
    size_t cells;          /* in the lines that were stepped last */
    const band_loop *step; /* by the kind of work; NULL: not used */
    band_loop multiply, catch_up, store;
};

/* It is not used yet and is stale. Release with front_band_release. */
enum status front_band_new(const struct laplace_wave *front,
                           struct front_band **band, struct error *error);
void front_band_release(struct front_band *band);

/* front_band_set_level selects the loops of this vector unit; after
 * front_band_rest the plain path steps. Both make the band stale. */
void front_band_set_level(struct laplace_wave *front, enum kernel_level level);
void front_band_rest(struct laplace_wave *front);

static inline bool front_band_runs(const struct laplace_wave *front)
{
    return front->band->step != NULL;
}

/* Clears what an earlier emission has left, by the present walls. */
void front_band_forget(struct laplace_wave *front);

/* Marks the lines that are nonzero at first, after source and sums were set. */
void front_band_light(struct laplace_wave *front);

/* Does steps 1 to 4 of wave.h, from the previous age to the front's age.
 * Returns the largest |z| of open cells if this age is a look. */
double front_band_advance(struct laplace_wave *front, struct team *team);

/* Adds the postponed generation: the sums then have the front's age. */
void front_band_catch_up(struct laplace_wave *front);

/* Multiplies z and V of open cells by 2^by. */
void front_band_multiply(struct laplace_wave *front, int by, struct team *team);

#endif
