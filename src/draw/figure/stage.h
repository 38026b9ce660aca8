/* SPDX-License-Identifier: MIT */
/* The position on a picture of each point of the world. */
#ifndef HAMON_DRAW_FIGURE_STAGE_H
#define HAMON_DRAW_FIGURE_STAGE_H

#include "world/grid.h"

/* A parallel projection: pixel = origin + x·step[0] + y·step[1] + z·step[2],
 * with the world's coordinates in cells. */
struct stage {
    double origin[2];
    double step[GRID_AXES][2];
};

static inline void stage_place(const struct stage *stage,
                               const double at[GRID_AXES], double pixel[2])
{
    for (int i = 0; i < 2; i++)
        pixel[i] = stage->origin[i] + at[0] * stage->step[0][i] +
                   at[1] * stage->step[1][i] + at[2] * stage->step[2][i];
}

#endif
