/* SPDX-License-Identifier: MIT */
#include "wave/step/stencil.h"

#include <math.h>
#include <string.h>

static const struct stencil five_point = {
    .name = "5-point",
    .dims = 2,
    .points = 4,
    .point = { { { 1, 0, 0 }, 1 },
               { { -1, 0, 0 }, 1 },
               { { 0, -1, 0 }, 1 },
               { { 0, 1, 0 }, 1 } },
    .centre = -4,
    .safe_delta = 0.5,
};

/* The isotropic Laplacian: its leading error is a multiple of the biharmonic
 * operator, the same in every direction. It is 6(M⊗M − 1), M = (1,4,1)/6. */
static const struct stencil nine_point = {
    .name = "9-point",
    .dims = 2,
    .points = 8,
    .point = { { { 1, 0, 0 }, 4. / 6 },
               { { -1, 0, 0 }, 4. / 6 },
               { { 0, -1, 0 }, 4. / 6 },
               { { 0, 1, 0 }, 4. / 6 },
               { { 1, 1, 0 }, 1. / 6 },
               { { -1, -1, 0 }, 1. / 6 },
               { { 1, -1, 0 }, 1. / 6 },
               { { -1, 1, 0 }, 1. / 6 } },
    .centre = -10. / 3,
    .safe_delta = 0.75,
};

static const struct stencil seven_point = {
    .name = "7-point",
    .dims = 3,
    .points = 6,
    .point = { { { 1, 0, 0 }, 1 },
               { { -1, 0, 0 }, 1 },
               { { 0, -1, 0 }, 1 },
               { { 0, 1, 0 }, 1 },
               { { 0, 0, 1 }, 1 },
               { { 0, 0, -1 }, 1 } },
    .centre = -6,
    .safe_delta = 1. / 3,
};

/* The isotropic Laplacian in 3D. With weights a of the faces, b of the edges
 * and c of the corners, and S = sin²(k/2) on each axis, −Σ w (cos k·e − 1) is
 *
 *   4(a + 4b + 4c) ΣS − 16(b + 2c) ΣSS' + 64c SxSySz
 *
 * It is the Laplacian if a + 4b + 4c = 1, and its leading error is a multiple
 * of the biharmonic operator if b + 2c = 1/6: one of a, b, c is free. c = 1/36
 * makes it the product 6(M⊗M⊗M − 1), the 9-point stencil with one axis more:
 * its matched gradient averages (1,4,1)/6 across both other axes, it is the
 * 9-point one on what does not depend on z, and every block of 2 × 2 × 2 cells
 * with mirrors in it couples its cells less than an open block (wave.h). The
 * error behind the leading one varies over the directions by .59 k⁴/360, at
 * least .5 in this family. The limit is 9/13; it would be 3/4 for c ≤ 1/48,
 * whose gradient is no product, and 15/23 for c = 1/30. */
#define FACE (16. / 36)
#define EDGE (4. / 36)
#define CORNER (1. / 36)
static const struct stencil twenty_seven_point = {
    .name = "27-point",
    .dims = 3,
    .points = 26,
    .point = { { { 1, 0, 0 }, FACE },     { { -1, 0, 0 }, FACE },
               { { 0, -1, 0 }, FACE },    { { 0, 1, 0 }, FACE },
               { { 0, 0, 1 }, FACE },     { { 0, 0, -1 }, FACE },
               { { 1, 1, 0 }, EDGE },     { { -1, -1, 0 }, EDGE },
               { { 1, -1, 0 }, EDGE },    { { -1, 1, 0 }, EDGE },
               { { 1, 0, 1 }, EDGE },     { { -1, 0, 1 }, EDGE },
               { { 0, -1, 1 }, EDGE },    { { 0, 1, 1 }, EDGE },
               { { 1, 0, -1 }, EDGE },    { { -1, 0, -1 }, EDGE },
               { { 0, -1, -1 }, EDGE },   { { 0, 1, -1 }, EDGE },
               { { 1, 1, 1 }, CORNER },   { { -1, -1, 1 }, CORNER },
               { { 1, -1, 1 }, CORNER },  { { -1, 1, 1 }, CORNER },
               { { 1, 1, -1 }, CORNER },  { { -1, -1, -1 }, CORNER },
               { { 1, -1, -1 }, CORNER }, { { -1, 1, -1 }, CORNER } },
    .centre = -38. / 9,
    .safe_delta = 9. / 13,
};

const struct stencil *const stencils[] = { &five_point, &seven_point,
                                           &nine_point, &twenty_seven_point,
                                           NULL };

const struct stencil *stencil_find(const char *name)
{
    for (const struct stencil *const *row = stencils; *row; row++)
        if (strcmp((*row)->name, name) == 0)
            return *row;
    return NULL;
}

const struct stencil *stencil_whole(int dims)
{
    return dims == 3 ? &twenty_seven_point : &nine_point;
}

double stencil_law(const struct stencil *stencil, const double s[GRID_AXES])
{
    double x = s[0], y = s[1], z = stencil->dims == 3 ? s[2] : 0;
    double sum = x + y + z;
    if (!stencil_has_diagonals(stencil))
        return sum;
    return sum - 2. / 3 * (x * y + y * z + z * x) + 4. / 9 * (x * y * z);
}

/* The dispersion law is linear in each of the S, so it is largest where they
 * are 0 or 1. */
double stencil_stiffness(int dims, const double weight[STENCIL_WEIGHTS])
{
    const double a = weight[0], b = weight[1], c = weight[2];
    const double two = dims == 3 ? b + 2 * c : b;
    const double one = dims == 3 ? a + 4 * b + 4 * c : a + 2 * b;
    double most = fmax(one, 2 * one - 4 * two);
    if (dims == 3)
        most = fmax(most, 3 * one - 12 * two + 16 * c);
    return most;
}

void stencil_match(const struct stencil *stencil, double decay, double delta,
                   double weight[STENCIL_WEIGHTS])
{
    static const double LEAST = .1;
    const double fall = fmax(decay, LEAST), s = 2 * cosh(fall) - 2;
    const double x = cosh(fall / sqrt(2)) - 1, y = cosh(fall / sqrt(3)) - 1;
    const double two = (s - 4 * x) / (4 * x * x);
    weight[2] = stencil->dims == 3
                    ? (s - 6 * y - 12 * y * y * two) / (8 * y * y * y)
                    : 0;
    weight[1] = stencil->dims == 3 ? two - 2 * weight[2] : two;
    weight[0] = stencil->dims == 3 ? 1 - 4 * (weight[1] + weight[2])
                                   : 1 - 2 * weight[1];
    const double stiff = stencil_stiffness(stencil->dims, weight);
    const double soft = 1 / stencil->safe_delta;
    if (!(stiff * delta > 1))
        return;
    /* Both have their largest value where all S are 1. */
    const double share =
        soft * delta < 1 ? (stiff - 1 / delta) / (stiff - soft) : 1;
    for (int kind = 0; kind < STENCIL_WEIGHTS; kind++) {
        const int first = stencil_first(stencil, kind);
        const double other =
            first < stencil->points ? stencil->point[first].weight : 0;
        weight[kind] += share * (other - weight[kind]);
    }
}
