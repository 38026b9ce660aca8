/* SPDX-License-Identifier: MIT */
/* The sums of the Laplace-weighted wave, U = Σₖ e^(−pk)·z[k], each for one p.
 *
 * Summed over all k from an emission z⁰ = A, z⁻¹ = 0, U obeys the screened
 * Poisson equation 4 sinh²(p/2)·U = δᵢΔU + e^p·A at the source: positive, with
 * no maximum except at the source, whatever reflections z contains; −ln U
 * behaves like an eikonal in c, and ∇U leads to the source. A cell's U is
 * practically complete when |e^(−pk) z[k]| ≤ ηU.
 *
 * The stored sum is V[k] = e^p·V[k−1] + z[k] = e^(pk)·U[k]. It is as large as z
 * while the front passes, so that U may decrease to e^(−1000) in single
 * precision without a stored exponent. When V is so large that later z do not
 * change it, the cell is closed and its age is stored. wave/laplace/wave.h has
 * the wave that is summed and the rules by which cells are closed. */
#ifndef HAMON_WAVE_LAPLACE_LAPLACE_H
#define HAMON_WAVE_LAPLACE_LAPLACE_H

#include "base/status.h"
#include "wave/amplitudes.h"
#include "wave/medium.h"
#include "wave/step/layout.h"
#include "world/state.h"
#include "world/terrain.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct laplace_options {
    double p, eta;    /* > 0 */
    int64_t lifetime; /* later ages belong to the next emission; 0: no limit */
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

/* The detector's condition for the sum U and its newest term y, in the same
 * unit: the remaining terms are small compared with the sum. */
static inline bool laplace_holds(double sum, double y, double eta)
{
    return sum > 0 && fabs(y) <= eta * sum;
}

struct laplace {
    const struct medium *medium; /* of the wave that is summed */
    const int32_t *scale_of;     /* the scale of cells closed at an age */
    const struct terrain *terrain;
    struct laplace_options options;
    double growth; /* e^p, rounded to the precision */
    double decay;  /* ln(growth): p with that rounding */
    int64_t age;   /* of the last generation taken; −1 before the first */
    int32_t scale; /* V of open cells is stored times 2^scale */
    /* The arrays below have the layout of a wave's generations. closed: the age
     * of V in a closed cell; arrived: the age at which the detector's condition
     * became true. Both are stored plus 1; 0: none. */
    struct layout layout;
    void *sum; /* V */
    uint16_t *closed, *arrived;
    /* Generation `age`, if it is not added to the sums yet; else NULL. */
    const void *owed;
    /* (nz, ny, nx): the first age at which the detector's condition is true; 0
     * at the source, −1 in walls and in cells without arrival, LAPLACE_LOST if
     * underflow had made the sum wrong. NULL unless options.steps. */
    int32_t *step;
};

/* Allocates the sum for p = options->p of a wave in the medium; both are
 * borrowed. Nothing is emitted yet. Release with laplace_release. */
enum status laplace_init(struct laplace *laplace, const struct medium *medium,
                         const int32_t *scale_of,
                         const struct laplace_options *options,
                         struct error *error);
void laplace_release(struct laplace *laplace);

/* Clears all sums; only walls are closed. */
void laplace_clear(struct laplace *laplace);

/* Begins an emission from the free cell `source`, or GRID_NOWHERE. Call it
 * after laplace_clear. */
void laplace_begin(struct laplace *laplace, size_t source);

/* Applies a change of walls inside `box`: the sum of a closed cell is cleared,
 * that of an opened cell begins. No generation may be owed. */
void laplace_update(struct laplace *laplace, const struct box *box);

/* `step` of a cell from `arrived`; laplace_store_steps sets it in all cells. */
static inline int32_t laplace_step_of(uint16_t arrived)
{
    return arrived == LAPLACE_NEVER ? LAPLACE_LOST : (int32_t)arrived - 1;
}
void laplace_store_steps(struct laplace *laplace);

/* Visits what a restart needs. No generation may be owed. */
void laplace_state(struct laplace *laplace, struct state *state);

/* ---- reading ---- */

/* V of a cell times 2^−scale, and the age that V belongs to. A wall has V 0 and
 * the common age. */
struct laplace_cell {
    double sum;
    int64_t age;
    int32_t scale;
};
struct laplace_cell laplace_cell(const struct laplace *laplace, size_t cell);
struct laplace_cell laplace_at(const struct laplace *laplace,
                               ptrdiff_t item); /* index in the layout */

/* ln U of a cell, or −∞ if U is not (yet) positive. */
double laplace_log_of(const struct laplace *laplace, struct laplace_cell at);

/* Is a cell's sum incomplete: not yet complete or, if the cell is closed, wrong
 * because the range was too small? U obeys
 *
 *   U·(e^p − c + a·e^(−p)) = Σⱼ dⱼUⱼ ≥ dⱼUⱼ
 *
 * over the neighbours, and is positive. So a sum below a 32nd of the
 * contribution of one neighbour, or beside a negative one, is what flushing to
 * zero has left. A cell that the wave does not reach, or only with values below
 * 0, has no arrival: if a range is too small this is so in most cells. */
bool laplace_is_spoilt(const struct laplace *laplace, const int at[GRID_AXES]);

/* A cell whose V is at least this share of V of each neighbour, all open, is
 * not spoilt, also if this is tested in single precision. INFINITY if the share
 * is not the same for all cells. */
double laplace_least(const struct laplace *laplace);

/* Handles a new arrival whose sum is wrong by underflow: it waits, or is lost
 * if nothing more comes. */
void laplace_lose(struct laplace *laplace, const int at[GRID_AXES]);

/* ∇U/U at the centre of a free cell; all 0 if U is 0. Central differences: on
 * the 5- and 7-point stencils they point along the ray, because of the
 * stencils' dispersion. For the same reason they are averaged (1,4,1)/6 across
 * on the 9- and 27-point stencils. In cells that touch a wall or the edge they
 * are averaged (1,w,1)/(w + 2) on every stencil: w is half the sum of U over
 * the neighbours on the axes, divided by the cell's own U, and at least 1. (U
 * grows so much from cell to cell that a constant w would mean another average
 * for each p and speed; with fixed walls and 5 or 7 points it is 2
 * sinh²(p/2)/δᵢ plus 1 for each axis.) A missing neighbour in the middle row is
 * extrapolated from its opposite, U²/U_opposite (if both are missing: no
 * slope); in the rows beside it, it is replaced by the row's middle value, or
 * by the cell's own. docs/studies/remedies.md says what each of these rules
 * gains. */
void laplace_slope(const struct laplace *laplace, size_t cell,
                   double slope[GRID_AXES]);

/* The values at a position, with the weights of wave_sample_amplitude: y, U
 * and, if |y| ≤ ηU, ∇U (else 0), all in units of e^log_unit; and, if |y| ≤ ηU,
 * whether underflow has made U wrong (laplace_is_spoilt). */
struct laplace_look {
    int64_t age;
    double now, sum, log_unit;
    double gradient[GRID_AXES];
    bool spoilt;
};

/* False only if the detector does not hold at a position: a test without the
 * exact sums, for the many looks that find nothing. Here and below `generation`
 * is the last one taken. */
bool laplace_may_hold(const struct laplace *laplace,
                      const struct amplitudes *generation,
                      const double at[GRID_AXES]);

void laplace_look(const struct laplace *laplace,
                  const struct amplitudes *generation,
                  const double at[GRID_AXES], struct laplace_look *look);

#endif
