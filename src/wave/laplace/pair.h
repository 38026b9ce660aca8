/* SPDX-License-Identifier: MIT */
/* One sum U (wave/laplace/laplace.h) whose slope is the heading, or for the
 * heading arrival-time two, of a larger and a smaller p, for
 *
 *   T = −∂ln U/∂p = Σ k·e^(−pk)·z[k] / U,
 *
 * the mean age at which the wave comes under that weight, taken as
 * −(ln U₊ − ln U₋)/(p₊ − p₋). What of ln U does not grow with p, the shape that
 * a front has across a corridor or behind a corner, is gone from it, so that
 * −∇T keeps nearer to the shortest path than ∇U.
 *
 * It leads to the source as surely as U does: r = U₊/U₋ makes
 * δ Σⱼ U₋ⱼ(rⱼ − r) = 4(sinh²(p₊/2) − sinh²(p₋/2))·U₋r > 0 over the neighbours
 * of any cell but the source, so one of them has a larger r. In free space both
 * slopes are radial, and so is their difference. */
#ifndef HAMON_WAVE_LAPLACE_PAIR_H
#define HAMON_WAVE_LAPLACE_PAIR_H

#include "wave/laplace/laplace.h"

/* p₊ and p₋ are p times 1 ± this. */
#define LAPLACE_PAIR_STEP 0.125

struct laplace_pair {
    struct laplace sum[2]; /* by time: of p₊ and of p₋ */
    int count;             /* 1, or 2 by time */
    int32_t *step;         /* by time: of both; else NULL */
};

/* As laplace_init; by_time: with two sums. Release with
 * laplace_pair_release, a zeroed one too. */
enum status laplace_pair_init(struct laplace_pair *pair,
                              const struct laplace_wave *front,
                              const struct laplace_options *options,
                              bool by_time, struct error *error);
void laplace_pair_release(struct laplace_pair *pair);

/* As those of one sum. */
void laplace_pair_begin(struct laplace_pair *pair, size_t source);
void laplace_pair_update(struct laplace_pair *pair, const struct box *box);
void laplace_pair_state(struct laplace_pair *pair, struct state *state);

/* `step` of both anew, where that of a sum has changed. */
void laplace_pair_join(struct laplace_pair *pair);
void laplace_pair_join_cell(struct laplace_pair *pair, size_t cell);

/* `step` of the sum, or by time the age from which the detector has held for
 * both, LAPLACE_LOST where one is lost. NULL unless options.steps. */
const int32_t *laplace_pair_steps(const struct laplace_pair *pair);

/* ln U, or by time −T, of a cell where the detector holds; else −∞. *settled:
 * the cell is closed. `newest` is the generation last taken. */
double laplace_pair_potential(const struct laplace_pair *pair,
                              const struct amplitudes *newest, size_t cell,
                              bool *settled);

/* ∇U/U, or by time −∇T, at the centre of a free cell; all 0 where U is 0. */
void laplace_pair_slope(const struct laplace_pair *pair, size_t cell,
                        double slope[GRID_AXES]);

/* As laplace_look. By time the sum is U₊, or 0 where only one of the two holds,
 * and −U₊∇T stands for its gradient. */
void laplace_pair_look(const struct laplace_pair *pair,
                       const struct amplitudes *generation,
                       const double at[GRID_AXES], struct laplace_look *look);

#endif
