/* SPDX-License-Identifier: MIT */
/* The Laplace-weighted wave, of the detector `laplace`: a wave of its own
 * that is kept where its sums (wave/laplace/laplace.h) are still open. This
 * folder takes a medium and the cell of an emission, and gives for each cell
 * the age at which the detector holds and the slope of the sums; it knows no
 * agent and no plain wave.
 *
 * No later z of a closed cell counts in its U, nor in that of any other, for
 * what a cell adds farther on is its U times what U falls by on the way. So z
 * is 0 there from then on. What is left of the wave is the band of open cells;
 * when the largest |z| has fallen by 2^10, every z and every open V is
 * multiplied by one power of two, so that the tip keeps what the precision has,
 * at any distance and from any A. `range` is log2 of the largest |z| over the
 * precision's smallest normal number: how faint a tip is kept.
 *
 * It is the law of the run's wave in the medium that it is given, with the
 * run's stencil, source and precision (wave.h), and these rules, a norm of bits
 * as that is. Looks are
 * taken at the ages 3, 7, 11, …; with a smaller p over 2 at every age. At age k
 * ≥ 0:
 *
 *   1. (k > 0) z is stepped, and becomes 0 in closed cells.
 *   2. V ← V·e^p + z in open cells, for each sum.
 *   3. A look closes the cells with |V| > ceiling, V of the smaller p, and
 *      notes k and the power of two.
 *   4. The detector holds for the first time at k ≥ 1 where a cell is closed or
 *      max(|z|, smallest) ≤ ηV, and not laplace_wave_is_spoilt; a cell that is
 *      closed and spoilt is lost.
 *   5. A look brings z and V up by the power of two that brings the largest |z|
 *      of the cells that are open still up to the exponent of `largest`,
 *      where that is 2^10 or more, and no more than 2^12; not before the
 *      source's own cell has once been closed.
 *
 * Two paths compute them: the band (band.h), and for ranks a plain one over the
 * lit box.
 *
 * A ricker adds −A(1 − 2u)e^(−u): it begins below 0, and U of it is below 0 in
 * every cell, where the detector never holds.
 *
 * At k = 0 z and V are brought to where A has the exponent of `largest`. Walls
 * that close are dark; a cell that opens hears what still comes to it, which
 * behind the front is nothing until the next emission. */
#ifndef HAMON_WAVE_LAPLACE_WAVE_H
#define HAMON_WAVE_LAPLACE_WAVE_H

#include "wave/laplace/pair.h"
#include "wave/medium.h"

/* The range that is enough on every map that was tried
 * (docs/studies/remedies.md). */
#define LAPLACE_WAVE_RANGE_FREE 66
#define LAPLACE_WAVE_RANGE_FIXED 146
#define LAPLACE_WAVE_RANGE_LEAST 40
static inline int laplace_wave_range(enum wall_rule walls, bool matched)
{
    return walls == WALLS_FREE && !matched ? LAPLACE_WAVE_RANGE_FREE
                                           : LAPLACE_WAVE_RANGE_FIXED;
}

struct laplace_wave {
    struct laplace_pair pair; /* read by its functions */
    const struct medium *medium;
    struct wave *wave; /* z of age `age`, times 2^scale */
    int64_t age;       /* −1 before the first emission */
    int32_t scale;
    bool past_source;  /* its own cell was closed since the emission */
    bool faded;        /* behind it: no cell is open where the wave is not 0 */
    int32_t *scale_of; /* (ages): that of cells closed at an age */
    size_t ages;
    int look_every;
    double largest, ceiling;
    struct front_row *row;   /* (nz·ny): of the generation in hand */
    struct front_band *band; /* wave/laplace/band.h */
};

/* Borrows medium, whose terrain the sums are of. Where that is a rank's share,
 * all ranks call laplace_wave_begin and _advance together, and what is held is
 * as the neighbours have it: z, V and ages, but arrivals of own cells alone.
 * The front must stay where it is. options: as laplace_init. range: bits, 0 for
 * that of the medium's walls. Release with laplace_wave_release, a zeroed one
 * too. */
enum status laplace_wave_init(struct laplace_wave *front,
                              const struct medium *medium,
                              const struct laplace_options *options, int range,
                              bool by_time, struct error *error);
void laplace_wave_release(struct laplace_wave *front);

/* The vector unit that the band uses, at most kernel_best(), which it has by
 * itself; or the plain path instead of the band, the tests' reference. Nothing
 * but the time depends on it. May change at any time. */
void laplace_wave_set_level(struct laplace_wave *front,
                            enum kernel_level level);
void laplace_wave_set_plain(struct laplace_wave *front);

/* The bits between the smallest number and the largest V that there may be, and
 * how many a precision has. */
double laplace_wave_bits(double p, double eta, int range, bool by_time);
int laplace_wave_room(enum precision precision);

/* A wave goes out from the free cell `source` of the whole grid (wave_emit):
 * forgets what was before. */
void laplace_wave_begin(struct laplace_wave *front, size_t source,
                        struct team *team);

/* A generation on, up to the oldest age; nothing before an emission. */
void laplace_wave_advance(struct laplace_wave *front, struct team *team);

/* The walls inside `box` changed, and the medium has them already. */
void laplace_wave_update(struct laplace_wave *front, const struct box *box);

/* What a restart needs of it. */
void laplace_wave_state(struct laplace_wave *front, struct state *state);

/* As laplace_pair_look, of the wave that it has; where more is to come of a
 * spoilt sum, 0 stands for it. */
void laplace_wave_look(const struct laplace_wave *front,
                       const double at[GRID_AXES], struct laplace_look *look);

/* Nothing more is summed: the wave has left every cell, or is too old. All
 * ranks know the same; it is found at looks. */
bool laplace_wave_is_spent(const struct laplace_wave *front);

/* Whether a cell's sum is not whole yet, or when it is closed: whether the
 * range was too small for it. U obeys
 *
 *   U·(e^p − c + a·e^(−p)) = Σⱼ dⱼUⱼ ≥ dⱼUⱼ
 *
 * over the neighbours, and is positive. So a sum under a 32nd of what one
 * neighbour alone makes of it, or beside one below 0, is made of what flushing
 * has left. A cell that nothing comes to, or only what is below 0, has no
 * arrival: that is what most cells have where a range is too small. */
bool laplace_wave_is_spoilt(const struct laplace_wave *front,
                            const struct laplace *laplace, size_t cell);

#endif
