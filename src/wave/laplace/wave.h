/* SPDX-License-Identifier: MIT */
/* The Laplace-weighted wave of the detector `laplace`: its own wave, which is
 * computed only in cells whose sums (wave/laplace/laplace.h) are still open.
 * This folder takes a medium and the cell of an emission, and gives for each
 * cell the age at which the detector's condition becomes true, and the slope of
 * the sums. It does not depend on agents or on the plain wave.
 *
 * Later z of a closed cell change neither its U nor that of any other cell,
 * because its contribution to a farther cell is its U times the decrease of U
 * on the path. So z is set to 0 there. Only the band of open cells is left of
 * the wave. When the largest |z| has decreased by 2^10, every z and the V of
 * open cells are multiplied by one power of two, so that the tip of the wave
 * has the full precision at any distance and for any A. `range` is log2 of the
 * largest |z| over the precision's smallest normal number: it limits how small
 * an amplitude of the tip is kept.
 *
 * It obeys the equation of the run's wave (wave.h) in the given medium, with
 * the run's stencil, source and precision, and these rules, which every path
 * must follow bit for bit. The ages 3, 7, 11, … are looks; if the smaller p is
 * over 2, every age is one. At age k ≥ 0:
 *
 *   1. (k > 0) z is stepped, and becomes 0 in closed cells.
 *   2. V ← V·e^p + z in open cells, for each sum.
 *   3. A look closes the cells with |V| > ceiling, V of the smaller p, and
 *      stores k and the scale.
 *   4. The detector's condition becomes true at the first k ≥ 1 at which a
 *      cell is closed or max(|z|, smallest) ≤ ηV, unless the sum is wrong
 *      (laplace_is_spoilt); a closed cell with a wrong sum is lost.
 *   5. A look multiplies z and V by the power of two that brings the largest
 *      |z| of open cells to the exponent of `largest`, if that is 2^10 or
 *      more, and by 2^12 at most; not before the source's own cell has been
 *      closed once.
 *
 * Two paths compute them: the band (band.h), and a plain path over the box,
 * the tests' reference.
 *
 * A ricker source adds −A(1 − 2u)e^(−u): with the sign of the plain wave's
 * source, U would be below 0 in every cell and the detector's condition never
 * true.
 *
 * At k = 0 z and V are scaled so that A has the exponent of `largest`. Cells
 * that become walls are set to 0. A cell that opens receives what still comes
 * to it; behind the front that is nothing until the next emission. */
#ifndef HAMON_WAVE_LAPLACE_WAVE_H
#define HAMON_WAVE_LAPLACE_WAVE_H

#include "wave/laplace/front.h"
#include "wave/medium.h"

/* A range that was enough on every map that was tried
 * (docs/studies/remedies.md). */
#define LAPLACE_WAVE_RANGE_FREE 66
#define LAPLACE_WAVE_RANGE_FIXED 146
#define LAPLACE_WAVE_RANGE_LEAST 40
static inline int laplace_wave_range(enum wall_rule walls, bool matched)
{
    return walls == WALLS_FREE && !matched ? LAPLACE_WAVE_RANGE_FREE
                                           : LAPLACE_WAVE_RANGE_FIXED;
}

/* Borrows medium, whose terrain the sums belong to. If it is a rank's share,
 * all ranks call laplace_wave_begin and _advance together; z, V and ages in the
 * halo are then those of the neighbours, but arrivals are stored for own cells
 * only. options: as laplace_init. range: bits, 0
 * for the default by the medium's walls. Release with laplace_wave_release,
 * which also takes a zeroed struct. */
enum status laplace_wave_init(struct laplace_wave *front,
                              const struct medium *medium,
                              const struct laplace_options *options, int range,
                              bool by_time, struct error *error);
void laplace_wave_release(struct laplace_wave *front);

/* Selects the vector unit of the band, at most kernel_best(), which is the
 * default; or the plain path instead of the band, which is the reference in
 * tests. Only the time depends on it. It may change at any time. */
void laplace_wave_set_level(struct laplace_wave *front,
                            enum kernel_level level);
void laplace_wave_set_plain(struct laplace_wave *front);

/* laplace_wave_bits: the bits needed between the smallest number and the
 * largest possible V. laplace_wave_room: the bits that a precision has. */
double laplace_wave_bits(double p, double eta, int range, bool by_time);
int laplace_wave_room(enum precision precision);

/* Begins an emission from the free cell `source` of the whole grid (wave_emit);
 * earlier ones are forgotten. */
void laplace_wave_begin(struct laplace_wave *front, size_t source,
                        struct team *team);

/* Advances by one generation, up to the oldest age; does nothing before an
 * emission. */
void laplace_wave_advance(struct laplace_wave *front, struct team *team);

/* Applies a change of walls inside `box`, after the medium was updated. */
void laplace_wave_update(struct laplace_wave *front, const struct box *box);

/* Visits what a restart needs. */
void laplace_wave_state(struct laplace_wave *front, struct state *state);

/* As laplace_pair_look, for its own wave. If a sum is wrong by underflow but
 * more terms come, it returns 0 for the sum. */
void laplace_wave_look(const struct laplace_wave *front,
                       const double at[GRID_AXES], struct laplace_look *look);

/* Nothing more is summed: the wave is 0 in all open cells, or is too old. All
 * ranks return the same; it changes at looks only. */
bool laplace_wave_is_spent(const struct laplace_wave *front);

#endif
