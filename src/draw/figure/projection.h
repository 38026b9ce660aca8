/* SPDX-License-Identifier: MIT */
/* The position on a picture of each point of the world. */
#ifndef HAMON_DRAW_FIGURE_PROJECTION_H
#define HAMON_DRAW_FIGURE_PROJECTION_H

#include "world/grid.h"

/* A parallel projection: pixel = origin + x·step[0] + y·step[1] + z·step[2],
 * with the world's coordinates in cells. */
struct projection {
    double origin[2];
    double step[GRID_AXES][2];
};

static inline void projection_place(const struct projection *projection,
                                    const double at[GRID_AXES], double pixel[2])
{
    for (int i = 0; i < 2; i++)
        pixel[i] = projection->origin[i] + at[0] * projection->step[0][i] +
                   at[1] * projection->step[1][i] +
                   at[2] * projection->step[2][i];
}

#endif
