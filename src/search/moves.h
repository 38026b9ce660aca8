/* SPDX-License-Identifier: MIT */
/* The moves from a cell to its neighbours, in the order of fixed ties: along
 * the axes in the order of enum direction, then the diagonals. */
#ifndef HAMON_SEARCH_MOVES_H
#define HAMON_SEARCH_MOVES_H

#include "world/grid.h"

#include <stdbool.h>

enum { MOVES_2D = 8, MOVES_3D = 26 };

struct move {
    int step[GRID_AXES];
    int axes; /* the number of axes it steps along: its length squared */
};

/* The opposite of move d is d ^ 1. The first 2·dims are the directions. */
extern const struct move moves_2d[MOVES_2D];
extern const struct move moves_3d[MOVES_3D];

static inline const struct move *moves_of(const struct grid *grid)
{
    return grid->dims == 2 ? moves_2d : moves_3d;
}

/* 4 and 8 are for 2D, 6 and 26 for 3D. */
bool moves_suit(int moves, const struct grid *grid);

#endif
