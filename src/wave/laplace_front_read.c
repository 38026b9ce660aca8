/* SPDX-License-Identifier: MIT */
#include "wave/laplace_front_parts.h"

#include <math.h>

/* The share of what a neighbour alone makes of U, below which a sum is not
 * whole. A tip that is cut off at every cell alike leaves less of U from cell
 * to cell, down to a tenth, and headings that are right; docs/remedies.md. */
#define LEAST_SHARE 0x1p-5

void laplace_front_look(const struct laplace_front *front,
                        const double at[GRID_AXES], struct arrival_look *look)
{
    struct amplitudes newest = wave_newest(front->wave);
    laplace_pair_look(&front->pair, &newest, at, look);
    const struct laplace *sum = &front->pair.sum[0];
    size_t nearest = grid_nearest(&sum->terrain->grid, at);
    if (look->spoilt && !sum->closed[layout_cell(&sum->layout, nearest)]) {
        look->spoilt = false; /* more is to come */
        look->sum = 0;
    }
}

/* What the neighbour in a direction alone makes of U, over its own. */
static double share_of(const struct laplace_front *front,
                       const struct coefficients *from, int direction)
{
    const struct stencil *stencil = front->medium->settings.stencil;
    return front->medium->form == COEFFICIENTS_FACE
               ? from->face[direction]
               : from->d * stencil->point[0].weight;
}

/* U of another cell in units of one cell's V. */
static double told_by(const struct laplace *laplace, struct laplace_cell there,
                      struct laplace_cell own)
{
    double sum = there.sum;
    if (own.scale != there.scale)
        sum = ldexp(sum, own.scale - there.scale);
    if (own.age != there.age) /* hardly ever, where an arrival is told */
        sum *= exp(laplace->decay * (double)(own.age - there.age));
    return sum;
}

bool laplace_front_is_spoilt(const struct laplace_front *front,
                             const struct laplace *laplace, size_t cell)
{
    const struct grid *grid = &laplace->terrain->grid;
    const struct laplace_cell own = laplace_cell(laplace, cell);
    struct coefficients from;
    int at[GRID_AXES];
    if (!(own.sum > 0))
        return true;
    grid_cell(grid, cell, at);
    if (front->medium->form == COEFFICIENTS_UNIFORM)
        from = front->medium->uniform;
    else
        medium_coefficients(front->medium, at[0], at[1], at[2], &from);
    double whole = laplace->growth - from.c + from.a / laplace->growth;
    for (int i = 0; i < 2 * grid_axes(grid); i++) {
        const int *step = direction_step[i];
        int x = at[0] + step[0], y = at[1] + step[1], z = at[2] + step[2];
        if (!grid_holds(grid, x, y, z))
            continue;
        struct laplace_cell there =
            laplace_cell(laplace, grid_index(grid, x, y, z));
        double sum = told_by(laplace, there, own);
        if (sum < 0 ||
            own.sum * whole < LEAST_SHARE * share_of(front, &from, i) * sum)
            return true;
    }
    return false;
}
