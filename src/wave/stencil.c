/* SPDX-License-Identifier: MIT */
#include "wave/stencil.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

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
 * operator, the same in every direction. */
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

const struct stencil *const stencils[] = { &five_point, &seven_point,
                                           &nine_point, NULL };

const struct stencil *stencil_find(const char *name)
{
    for (const struct stencil *const *row = stencils; *row; row++)
        if (strcmp((*row)->name, name) == 0)
            return *row;
    return NULL;
}

/* The largest sin²(k/2) of a free-ended row of `extent` cells. */
static double shortest_wave(int extent)
{
    double sine = sin((extent - 1) * PI / (2. * extent));
    return sine * sine;
}

double stencil_limit(const struct stencil *stencil, const struct grid *grid)
{
    double x = shortest_wave(grid->nx), y = shortest_wave(grid->ny);
    double z = stencil->dims == 3 ? shortest_wave(grid->nz) : 0;
    /* sin²(ω/2) = δ(x + y + z) must not pass 1; the diagonals of the 9-point
     * stencil take −⅔xy. */
    double sum = stencil->points == 8 ? x + y - 2. / 3 * (x * y) : x + y + z;
    double limit = sum > 0 ? 1 / sum : INFINITY;
    return limit > stencil->safe_delta ? limit : stencil->safe_delta;
}
