/* SPDX-License-Identifier: MIT */
/* The Laplace-weighted wave, the detector `laplace`: U = Σₖ e^(−pk)·z[k] kept
 * beside a plain wave.
 *
 * Summed over all k from an emission z⁰ = A, z⁻¹ = 0, U obeys the screened
 * Poisson equation 4 sinh²(p/2)·U = δᵢΔU + A at the source: positive, with no
 * maximum away from the source, whatever reflections z is made of; −ln U
 * behaves like an eikonal in c, and ∇U leads to the source. A cell's U is as
 * good as summed when |e^(−pk) z[k]| ≤ ηU.
 *
 * What is held is V[k] = e^p·V[k−1] + z[k] = e^(pk)·U[k], of the size of z
 * while the front passes, so that U may fall to e^(−1000) in single precision
 * with no exponent of its own; once V is so large that no later z counts, the
 * cell is closed and its age kept. Generations are taken in pairs, 2i and 2i+1
 * (laplace_owe): a cell is closed at odd ages only, and its first contact is
 * that of its pair, 2i. A sum is lost only where the front itself is
 * too small for the precision: in free space at δ = 1/4, p = 1 the part of z
 * that makes U falls by .37 bits a cell, in a fixed corridor 1 wide by 1.37.
 *
 * Like the arrival field it takes generations as arrays and knows no wave: a
 * recording's rows serve as well. */
#ifndef HAMON_WAVE_LAPLACE_H
#define HAMON_WAVE_LAPLACE_H

#include "base/status.h"
#include "base/team.h"
#include "wave/amplitudes.h"
#include "wave/arrival_watch.h"
#include "wave/kernel.h"
#include "wave/layout.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct laplace;
struct laplace_front; /* wave/laplace_front.h */

enum { LAPLACE_SIDE = 16, LAPLACE_WORDS = LAPLACE_SIDE * LAPLACE_SIDE / 64 };

/* A piece of the map, 16 rows of up to 16 vectors (64 bytes of numbers, as the
 * layout lines them up), and what is to be done with these. Dark ones, a bit
 * each, have open cells, but no amplitude has come to any. In `list` are, from
 * its beginning on, the rising ones, in which no cell can be held or closed
 * yet, for z is large beside V, and from its end back those that settle. Those
 * that have no open cell are in neither. Free ones have a cell that is no wall:
 * they are dark when a wave goes out. */
struct laplace_tile {
    struct box box; /* what holds its cells, and in 3D may hold others */
    int row, rows;  /* of all (nz·ny) */
    int column;     /* its first vector, in a row */
    int32_t vector[LAPLACE_SIDE]; /* the same in each row, of the layout */
    uint64_t free[LAPLACE_WORDS], dark[LAPLACE_WORDS];
    int32_t *list;
    int size, rising, settling;
    bool touched; /* since the emission, by any amplitude */
    bool stale;   /* `step` of its cells is not what `arrived` is */
};

struct laplace_options {
    double p, eta;    /* > 0 */
    double amplitude; /* A > 0 */
    int64_t lifetime; /* later ages are the next emission's; 0: none are */
    size_t width;     /* of a number: sizeof(float) or sizeof(double) */
    bool steps;       /* keep `step` too */
    bool matched;     /* the wave's stencil is the 9-point one */
    /* Whose sums these are, which feeds them itself; NULL: nobody's, and they
     * are fed with laplace_take or laplace_owe. */
    const struct laplace_front *front;
};

enum {
    LAPLACE_LOST = -2,
    LAPLACE_OLDEST = 65533,    /* later ages are passed over */
    LAPLACE_NEVER = UINT16_MAX /* closed: a wall; arrived: lost */
};

/* The oldest age that is summed. */
static inline int64_t laplace_oldest(const struct laplace_options *options)
{
    return options->lifetime > 0 && options->lifetime < LAPLACE_OLDEST
               ? options->lifetime
               : LAPLACE_OLDEST;
}

struct laplace {
    const struct terrain *terrain;
    struct laplace_options options;
    double growth;  /* e^p as the precision rounds it */
    double decay;   /* its logarithm: p but for that rounding */
    double ceiling; /* V above which no later z counts */
    /* Of the least V that is not spoilt, as laplace_bits tells it: at the age
     * of first contact, and what each age later adds, `late_most` at most. */
    uint32_t floor, floor_rate, late_most;
    int64_t age;   /* of the last generation taken; −1 before the first */
    int32_t scale; /* of a front: V of open cells is 2^scale times what it is */
    /* What follows lies as a wave's generations do. Ages are told plus 1, and
     * 0 is none: at which V was first not 0; that V is of, where it is not of
     * `age` and still summing; at which the detector held (the age itself). */
    struct layout layout;
    void *sum; /* V */
    uint16_t *first, *closed, *arrived;
    struct laplace_tile *tile;
    size_t tiles, tiles_in_row;
    int32_t *lists;
    bool has_centre; /* all amplitudes came from one cell, which is known: */
    int centre[GRID_AXES];
    /* Generation `age`, where it is owed to the sums still; NULL: it is not. */
    const void *owed;
    void *packed; /* a generation that came packed, laid out */
    /* (nz, ny, nx): the first age at which the detector holds; 0 at the source,
     * −1 in walls and where it has not, LAPLACE_LOST where it held by a sum
     * that underflow has spoilt. As of the last generation that was not owed.
     * NULL unless asked for. */
    int32_t *step;
    /* Takes one or two generations in a row, the older first, into the cells of
     * a tile, where z[…] is their number 0 (laplace_take.c). */
    void (*take_tile)(const struct laplace *laplace, struct laplace_tile *tile,
                      const void *const z[2], int count);
};

/* Borrows terrain, whose walls the gradient heeds. Nothing has begun. Release
 * with laplace_release. */
enum status laplace_init(struct laplace *laplace, const struct terrain *terrain,
                         const struct laplace_options *options,
                         struct error *error);
void laplace_release(struct laplace *laplace);

/* The vector unit that it uses, at most kernel_best(), which it has by itself:
 * nothing but the time depends on it. */
void laplace_set_level(struct laplace *laplace, enum kernel_level level);

/* A wave goes out from the free cell `source`, or GRID_NOWHERE: forgets what
 * was before. */
void laplace_begin(struct laplace *laplace, size_t source);

/* Takes the generation of this age: 0, the emission's own, first, then 1, 2, …
 * in order, through the lifetime; what does not follow in this order is passed
 * over. team may be NULL. Allocates nothing. */
void laplace_take(struct laplace *laplace, const struct amplitudes *generation,
                  int64_t age, struct team *team);

/* The same for a wave's newest generation, which must lie where it is until the
 * next one is taken, as it does through one step of the wave: every second time
 * it is only kept in mind, and the two are summed in one pass. Whoever reads
 * (below) has the sums of `age` all the same; only `step` lags behind, until
 * laplace_catch_up. */
void laplace_owe(struct laplace *laplace, const struct amplitudes *generation,
                 int64_t age, struct team *team);
void laplace_catch_up(struct laplace *laplace, struct team *team);

/* Takes up a change of walls inside `box`, of every one since laplace_init: a
 * closed cell's sum is gone, an opened one's begins. */
void laplace_update(struct laplace *laplace, const struct box *box);

/* ---- reading it ---- */

/* A cell's V, the age that V is of, and that at which it was first not 0; −1:
 * never (a front's: not noted). A wall: 0, the age of all, −1. A front's V is
 * 2^scale times what it is; else scale = 0. */
struct laplace_cell {
    double sum;
    int64_t age, first;
    int32_t scale;
};
struct laplace_cell laplace_cell(const struct laplace *laplace, size_t cell);
struct laplace_cell laplace_at(const struct laplace *laplace,
                               ptrdiff_t item); /* of the layout */

/* Whether underflow has spoilt the sum of a cell: what is flushed before z is
 * first told from 0, at age k₀, is about smallest·e^(−pk₀), and U must stand
 * 2^9 over it. Logarithms are taken as a number's own bits have them, exponent
 * and mantissa in one: .09 too small at most, of log2. A front's sums:
 * laplace_front_is_spoilt. */
bool laplace_is_spoilt(const struct laplace *laplace, size_t cell);

static inline double laplace_number(const struct laplace *laplace,
                                    const void *values, ptrdiff_t index)
{
    if (laplace->options.width == sizeof(float))
        return (double)((const float *)values)[index];
    return ((const double *)values)[index];
}

/* V of a cell, of age laplace_age. */
static inline double laplace_sum(const struct laplace *laplace, size_t cell)
{
    return laplace_cell(laplace, cell).sum;
}
static inline int64_t laplace_age(const struct laplace *laplace, size_t cell)
{
    return laplace_cell(laplace, cell).age;
}

/* What a restart needs of it. */
void laplace_state(struct laplace *laplace, struct state *state);

/* ln U of a cell, or −∞ where U is not (yet) positive. */
double laplace_log(const struct laplace *laplace, size_t cell);

/* ∇U over U at the centre of a free cell; all 0 where U is 0. Central
 * differences, which point along the ray on the 5- and 7-point stencils, for
 * there they are what its dispersion makes of a ray; averaged (1,4,1)/6 across
 * for the 9-point stencil, for the same reason, and (1,w,1)/(w + 2) for every
 * stencil in cells that touch a wall or the edge: w is half of what the
 * neighbours on the axes have of U together, over the cell's own, and 1 at
 * least. (U grows so much from cell to cell that one w for all would mean
 * another average at each p and speed; with fixed walls and 5 or 7 points it is
 * 2 sinh²(p/2)/δᵢ and 1 for each axis.) Of these, a neighbour that is missing
 * goes on as its opposite does, U²/U_opposite (both missing: no slope), and in
 * the rows beside it counts with the row's middle value, or the cell's own.
 * What each of these rules is worth: docs/remedies.md. */
void laplace_slope(const struct laplace *laplace, size_t cell,
                   double slope[GRID_AXES]);

/* What a watch is fed with: age, y, U and, where |y| ≤ ηU, ∇U (else 0) at a
 * position, by the weights of wave_sample. `generation` is the one last taken.
 * `reached` and `before` are left alone; `spoilt` is told where it holds. */
void laplace_look(const struct laplace *laplace,
                  const struct amplitudes *generation,
                  const double at[GRID_AXES], struct arrival_look *look);

#endif
