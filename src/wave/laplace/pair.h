/* SPDX-License-Identifier: MIT */
/* One sum U (wave/laplace/laplace.h) whose slope is the heading; or, for the
 * heading arrival-time, two sums with a larger and a smaller p, for
 *
 *   T = −∂ln U/∂p = Σ k·e^(−pk)·z[k] / U,
 *
 * the mean age of the wave with the weight e^(−pk), computed as −(ln U₊ − ln
 * U₋)/(p₊ − p₋). The part of ln U that does not depend on p, which is the shape
 * of a front across a corridor or behind a corner, cancels, so that −∇T is
 * nearer to the direction of the shortest path than ∇U.
 *
 * It leads to the source just as U does: r = U₊/U₋ makes δ Σⱼ U₋ⱼ(rⱼ − r) =
 * 4(sinh²(p₊/2) − sinh²(p₋/2))·U₋r > 0 over the neighbours of any cell but the
 * source, so one of them has a larger r. In free space both slopes are radial,
 * and so is their difference. */
#ifndef HAMON_WAVE_LAPLACE_PAIR_H
#define HAMON_WAVE_LAPLACE_PAIR_H

#include "wave/laplace/laplace.h"

/* p₊ and p₋ are p times 1 ± this. */
#define LAPLACE_PAIR_STEP 0.125

struct laplace_pair {
    struct laplace sum[2]; /* for times: of p₊ and of p₋ */
    int count;             /* 1, or 2 for times */
    int32_t *step;         /* for times: of both; else NULL */
};

/* As laplace_init; by_time: with two sums. Release with laplace_pair_release,
 * which also takes a zeroed struct. */
enum status laplace_pair_init(struct laplace_pair *pair,
                              const struct medium *medium,
                              const int32_t *scale_of,
                              const struct laplace_options *options,
                              bool by_time, struct error *error);
void laplace_pair_release(struct laplace_pair *pair);

/* As the functions for one sum. */
void laplace_pair_begin(struct laplace_pair *pair, size_t source);
void laplace_pair_update(struct laplace_pair *pair, const struct box *box);
void laplace_pair_state(struct laplace_pair *pair, struct state *state);

/* Recomputes `step` of both after that of one sum has changed. */
void laplace_pair_join(struct laplace_pair *pair);
void laplace_pair_join_cell(struct laplace_pair *pair, size_t cell);

/* Stores a cell's arrivals of this age as its steps, except lost ones. False if
 * one is undone, and may still come. */
bool laplace_pair_store_step(struct laplace_pair *pair,
                             const int at[GRID_AXES]);

/* `step` of the sum; for times the age from which the conditions of both sums
 * have been true, LAPLACE_LOST if one is lost. NULL unless options.steps. */
const int32_t *laplace_pair_steps(const struct laplace_pair *pair);

/* ln U, or for times −T, of a cell if the detector's condition is true; else
 * −∞. *settled: the cell is closed. `newest` is the last generation taken. */
double laplace_pair_potential(const struct laplace_pair *pair,
                              const struct amplitudes *newest, size_t cell,
                              bool *settled);

/* ∇U/U, or for times −∇T, at the centre of a free cell; all 0 if U is 0. */
void laplace_pair_slope(const struct laplace_pair *pair, size_t cell,
                        double slope[GRID_AXES]);

/* As laplace_look. For times the sum is U₊, or 0 if the condition of only one
 * is true, and −U₊∇T is returned as its gradient. */
void laplace_pair_look(const struct laplace_pair *pair,
                       const struct amplitudes *generation,
                       const double at[GRID_AXES], struct laplace_look *look);

#endif
