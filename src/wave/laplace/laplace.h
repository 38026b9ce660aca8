/* SPDX-License-Identifier: MIT */
/* The sums of the Laplace-weighted wave, U = Σₖ e^(−pk)·z[k], one p each.
 *
 * Summed over all k from an emission z⁰ = A, z⁻¹ = 0, U obeys the screened
 * Poisson equation 4 sinh²(p/2)·U = δᵢΔU + A at the source: positive, with no
 * maximum away from the source, whatever reflections z is made of; −ln U
 * behaves like an eikonal in c, and ∇U leads to the source. A cell's U is as
 * good as summed when |e^(−pk) z[k]| ≤ ηU.
 *
 * What is stored is V[k] = e^p·V[k−1] + z[k] = e^(pk)·U[k], of the size of z
 * while the front passes, so that U may fall to e^(−1000) in single precision
 * with no exponent of its own. When V is so large that no later z counts, the
 * cell is closed and its age kept. The wave that is summed, and the rules by
 * which cells close, are those of wave/laplace/wave.h. */
#ifndef HAMON_WAVE_LAPLACE_LAPLACE_H
#define HAMON_WAVE_LAPLACE_LAPLACE_H

#include "base/status.h"
#include "wave/amplitudes.h"
#include "wave/step/layout.h"
#include "world/state.h"
#include "world/terrain.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct laplace_wave; /* wave/laplace/wave.h */

struct laplace_options {
    double p, eta;    /* > 0 */
    int64_t lifetime; /* later ages are the next emission's; 0: none are */
    bool steps;       /* keep `step` too */
};

enum {
    LAPLACE_LOST = -2,
    LAPLACE_OLDEST = 65533,    /* later ages are not summed */
    LAPLACE_NEVER = UINT16_MAX /* closed: a wall; arrived: lost */
};

/* The oldest age that is summed. */
static inline int64_t laplace_oldest(const struct laplace_options *options)
{
    return options->lifetime > 0 && options->lifetime < LAPLACE_OLDEST
               ? options->lifetime
               : LAPLACE_OLDEST;
}

/* The test of the detector, of the sum U and the newest term y, both in one
 * unit: all that is to come weighs little against what has come. */
static inline bool laplace_holds(double sum, double y, double eta)
{
    return sum > 0 && fabs(y) <= eta * sum;
}

struct laplace {
    const struct laplace_wave *front; /* whose wave is summed */
    const struct terrain *terrain;
    struct laplace_options options;
    double growth; /* e^p as the precision rounds it */
    double decay;  /* its logarithm: p but for that rounding */
    int64_t age;   /* of the last generation taken; −1 before the first */
    int32_t scale; /* V of open cells is 2^scale times what it is */
    /* What follows lies as a wave's generations do. Ages are stored plus 1, and
     * 0 is none: that V is of, where the cell is closed; at which the detector
     * held (the age itself). */
    struct layout layout;
    void *sum; /* V */
    uint16_t *closed, *arrived;
    /* Generation `age`, if the sums do not have it yet; else NULL. */
    const void *owed;
    /* (nz, ny, nx): the first age at which the detector holds; 0 at the source,
     * −1 in walls and where it has not, LAPLACE_LOST where it held by a sum
     * that underflow has spoilt. NULL unless asked for. */
    int32_t *step;
};

/* The sum of p ← options->p that belongs to the front, whose medium is there.
 * Nothing has begun. Release with laplace_release. */
enum status laplace_init(struct laplace *laplace,
                         const struct laplace_wave *front,
                         const struct laplace_options *options,
                         struct error *error);
void laplace_release(struct laplace *laplace);

/* Nothing is summed, nothing closed but walls. */
void laplace_clear(struct laplace *laplace);

/* A wave goes out from the free cell `source`, or GRID_NOWHERE. The sum is as
 * laplace_clear leaves it. */
void laplace_begin(struct laplace *laplace, size_t source);

/* Takes up a change of walls inside `box`: a closed cell's sum is gone, an
 * opened one's begins. Nothing is owed. */
void laplace_update(struct laplace *laplace, const struct box *box);

/* `step` of a cell, or of all, from `arrived`. */
void laplace_tell_step(struct laplace *laplace, size_t cell);
void laplace_tell_steps(struct laplace *laplace);

/* What a restart needs of it. Nothing is owed. */
void laplace_state(struct laplace *laplace, struct state *state);

/* ---- reading it ---- */

/* A cell's V times 2^−scale, and the age that V is of. A wall: 0, of the age of
 * all. */
struct laplace_cell {
    double sum;
    int64_t age;
    int32_t scale;
};
struct laplace_cell laplace_cell(const struct laplace *laplace, size_t cell);
struct laplace_cell laplace_at(const struct laplace *laplace,
                               ptrdiff_t item); /* of the layout */

/* ln U of a cell, or −∞ where U is not (yet) positive. */
double laplace_log(const struct laplace *laplace, size_t cell);

/* ∇U over U at the centre of a free cell; all 0 where U is 0. Central
 * differences, which point along the ray on the 5- and 7-point stencils, for
 * there they are what its dispersion makes of a ray; averaged (1,4,1)/6 across
 * for the 9- and 27-point stencils, for the same reason, and (1,w,1)/(w + 2)
 * for every stencil in cells that touch a wall or the edge: w is half of what
 * the neighbours on the axes have of U together, over the cell's own, and 1 at
 * least. (U grows so much from cell to cell that one w for all would mean
 * another average at each p and speed; with fixed walls and 5 or 7 points it is
 * 2 sinh²(p/2)/δᵢ and 1 for each axis.) Of these, a neighbour that is missing
 * goes on as its opposite does, U²/U_opposite (both missing: no slope), and in
 * the rows beside it counts with the row's middle value, or the cell's own.
 * What each of these rules is worth: docs/studies/remedies.md. */
void laplace_slope(const struct laplace *laplace, size_t cell,
                   double slope[GRID_AXES]);

/* What is seen at a position, by the weights of wave_sample: y, U and, where
 * |y| ≤ ηU, ∇U (else 0), all in units of e^log_unit; whether U is spoilt
 * (laplace_wave_is_spoilt), where |y| ≤ ηU. */
struct laplace_look {
    int64_t age;
    double now, sum, log_unit;
    double gradient[GRID_AXES];
    bool spoilt;
};

/* `generation` is the one last taken. */
void laplace_look(const struct laplace *laplace,
                  const struct amplitudes *generation,
                  const double at[GRID_AXES], struct laplace_look *look);

#endif
