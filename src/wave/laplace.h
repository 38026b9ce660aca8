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
 * cell is closed and its age kept. It is lost only where the front itself is
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
#include "world/state.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stdint.h>

struct laplace;

/* 64 cells of a row, a bit each: first ≥ 0, closed ≥ 0, step ≠ −1, and walls
 * and what lies beyond the row's end. */
struct laplace_block {
    uint64_t lit, closed, arrived, wall;
};

struct laplace_options {
    double p, eta;    /* > 0 */
    double amplitude; /* A > 0 */
    int64_t lifetime; /* later ages are the next emission's; 0: none are */
    size_t width;     /* of a number: sizeof(float) or sizeof(double) */
    bool steps;       /* keep `step` too */
    bool matched;     /* the wave's stencil is the 9-point one */
};

enum { LAPLACE_LOST = -2, LAPLACE_LATE = 128, LAPLACE_BLOCK = 64 };

struct laplace {
    const struct terrain *terrain;
    struct laplace_options options;
    double growth;  /* e^p as the precision rounds it */
    double decay;   /* its logarithm: p but for that rounding */
    double ceiling; /* V above which no later z counts */
    /* V below it, so late behind `first`, is spoilt; the second is the least
     * single that is no less: it decides the same. */
    double floor[LAPLACE_LATE];
    float floor_single[LAPLACE_LATE];
    int64_t age;     /* of the last generation taken; −1 before the first */
    void *sum;       /* (nz, ny, nx): V */
    int32_t *closed; /* the age that V is of; −1: of `age`, still summing */
    int32_t *first;  /* the age at which V was first not 0; −1: never */
    /* The first age at which the detector holds; 0 at the source, −1 in walls
     * and where it has not, LAPLACE_LOST where it held by a sum that underflow
     * has spoilt. NULL unless asked for. */
    int32_t *step;
    size_t blocks;               /* of 64 cells, in a row */
    struct laplace_block *block; /* (nz·ny, blocks) */
    /* Takes a row's amplitudes, blocks from … to (laplace_take.c). */
    void (*take_row)(struct laplace *laplace, size_t row, const void *z,
                     size_t from, size_t to);
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

/* Takes up a change of walls inside `box`: a closed cell's sum is gone, an
 * opened one's begins. */
void laplace_update(struct laplace *laplace, const struct box *box);

/* Whether underflow has spoilt the sum of a cell: what is flushed before z is
 * first told from 0, at age k₀, is about smallest·e^(−pk₀), and U must stand
 * 2^10 over it. */
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
    return laplace_number(laplace, laplace->sum, (ptrdiff_t)cell);
}
static inline int64_t laplace_age(const struct laplace *laplace, size_t cell)
{
    return laplace->closed[cell] >= 0 ? laplace->closed[cell] : laplace->age;
}

/* ---- reading it ---- */

/* What a restart needs of it. */
void laplace_state(struct laplace *laplace, struct state *state);

/* ln U of a cell, or −∞ where U is not (yet) positive. */
double laplace_log(const struct laplace *laplace, size_t cell);

/* ∇U over U at the centre of a free cell; all 0 where U is 0. Central
 * differences, which point along the ray on the 5- and 7-point stencils, for
 * there they are what its dispersion makes of a ray; averaged (1,4,1)/6 across
 * for the 9-point stencil, for the same reason, and for every stencil in cells
 * that touch a wall or the edge. Of these, a neighbour that is missing goes on
 * as its opposite does, U²/U_opposite (both missing: no slope), and in the
 * rows beside it counts with the row's middle value. What each of these rules
 * is worth: docs/remedies.md. */
void laplace_slope(const struct laplace *laplace, size_t cell,
                   double slope[GRID_AXES]);

/* What a watch is fed with: age, y, U and, where |y| ≤ ηU, ∇U (else 0) at a
 * position, by the weights of wave_sample. `generation` is the one last taken.
 * `reached` and `before` are left alone. */
void laplace_look(const struct laplace *laplace,
                  const struct amplitudes *generation,
                  const double at[GRID_AXES], struct arrival_look *look);

#endif
