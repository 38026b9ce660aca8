/* SPDX-License-Identifier: MIT */
/* The Laplacian stencils and their Courant limits.
 *
 * δ = c²Δt²/Δh² is the squared Courant number; √δ is the speed of the wave in
 * cells a step. */
#ifndef HAMON_WAVE_STENCIL_H
#define HAMON_WAVE_STENCIL_H

#include "world/grid.h"

/* One neighbour of the stencil and its weight in the Laplacian. */
struct stencil_point {
    int step[GRID_AXES];
    double weight;
};

/* A const row a stencil: 5-point and 9-point in 2D, 7-point in 3D. Points
 * come in the pairs in which they are summed: (E + W) + (N + S), and so on,
 * which keeps the field's mirror symmetry bit for bit. */
struct stencil {
    const char *name;
    int dims;
    int points;
    struct stencil_point point[8];
    double centre;     /* −(sum of the weights) */
    double safe_delta; /* stable at or under it on every grid: 1/2, 3/4, 1/3 */
};

extern const struct stencil *const stencils[]; /* ends with NULL */

/* The stencil of this name, or NULL. */
const struct stencil *stencil_find(const char *name);

/* The exact limit of δ on a grid with free edges:
 * 1/Σ_axes S for 5- and 7-point, 1/(Sx + Sy − ⅔ Sx Sy) for 9-point, with
 * S = sin²((N − 1)π/2N). Never under safe_delta. */
double stencil_limit(const struct stencil *stencil, const struct grid *grid);

#endif
