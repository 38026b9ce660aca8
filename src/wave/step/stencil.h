/* SPDX-License-Identifier: MIT */
/* The Laplacian stencils and their Courant limits.
 *
 * δ = c²Δt²/Δh² is the squared Courant number; √δ is the speed of the wave in
 * cells a step. */
#ifndef HAMON_WAVE_STEP_STENCIL_H
#define HAMON_WAVE_STEP_STENCIL_H

#include "world/grid.h"

#include <stdbool.h>

/* One neighbour of the stencil and its weight in the Laplacian. */
struct stencil_point {
    int step[GRID_AXES];
    double weight;
};

/* One const element for each stencil: 5-point and 9-point in 2D, 7-point and
 * 27-point in 3D. Points come in the pairs in which they are summed:
 * (E + W) + (N + S), and so on, which makes fields of symmetric maps symmetric
 * bit for bit. First those along one axis, then along two axes, last along
 * three. */
enum { STENCIL_POINTS = 26 }; /* at most */
/* Points along one axis, two and three have a weight each. */
enum { STENCIL_WEIGHTS = 3 };
struct stencil {
    const char *name;
    int dims;
    int points;
    struct stencil_point point[STENCIL_POINTS];
    double centre;     /* −(sum of the weights) */
    double safe_delta; /* stable up to this value on every grid */
};

extern const struct stencil *const stencils[]; /* ends with NULL */

/* The stencil of this name, or NULL. */
const struct stencil *stencil_find(const char *name);

/* The stencil with diagonals for maps with so many axes: 9- or 27-point. */
const struct stencil *stencil_whole(int dims);

/* Has it neighbours across edges or corners too (9- and 27-point)? */
static inline bool stencil_has_diagonals(const struct stencil *stencil)
{
    return stencil->points > 2 * stencil->dims;
}

/* The dispersion relation of plane waves: sin²(ω/2)/δ as a function of
 * S = sin²(k/2) of each axis (2D: of the first two):
 *
 *   5- and 7-point   Sx + Sy + Sz
 *   9- and 27-point  Sx + Sy + Sz − ⅔(SxSy + SySz + SzSx) + 4/9 SxSySz,
 *                    3/2 (1 − (1 − ⅔Sx)(1 − ⅔Sy)(1 − ⅔Sz))
 *
 * The phase speed over √δ is ω/(k√δ): 1 − (1 − δ)k²/24 + O(k⁴) in every
 * direction for the latter two, and for the others with Σkᵢ⁴/k⁴ in place of the
 * 1 before −δ. */
double stencil_law(const struct stencil *stencil, const double s[GRID_AXES]);

/* The weights a (axes), b (edges) and, in 3D, c (corners) for the one decay by
 * e^(−κ) a cell: with s = 2 cosh κ − 2, e^(−κr) has ΔU = s·U along an axis, a
 * diagonal of two axes and one of three. In 2D
 *
 *   a + 2b = 1,   4a(C − 1) + 4b(C² − 1) = s,   C = cosh(κ/√2),
 *
 * in 3D a + 4b + 4c = 1, with X = C − 1 and Y = cosh(κ/√3) − 1
 *
 *   b + 2c = (s − 4X)/4X²,   c = (s − 6Y − 12Y²(b + 2c))/8Y³.
 *
 * All are positive. So a sum that decreases by e^(−κ) a cell decreases nearly
 * alike in all directions (by 1.0003 times as much at most at κ 2.54, 1.005 at
 * 5, 1.025 at 10; in 3D 1.0004, 1.007, 1.039); the 5-point stencil's by 1.10,
 * 1.22, 1.32 times, the 9-point stencil's by .98, .92, .83. A κ below .1 counts
 * as .1, where the weights hardly change. If δ is over the stable limit of
 * these weights, they are brought as near to those of `stencil` (9- or
 * 27-point) as is needed. */
void stencil_match(const struct stencil *stencil, double decay, double delta,
                   double weight[STENCIL_WEIGHTS]);

/* Of a stencil with diagonals: 1 over the limit of δ with these weights. */
double stencil_stiffness(int dims, const double weight[STENCIL_WEIGHTS]);

/* The first point of each weight, and one past the last. */
static inline int stencil_first(const struct stencil *stencil, int kind)
{
    static const int first[][STENCIL_WEIGHTS + 1] = { { 0, 4, 8, 8 },
                                                      { 0, 6, 18, 26 } };
    const int at = first[stencil->dims == 3][kind];
    return at < stencil->points ? at : stencil->points;
}

#endif
