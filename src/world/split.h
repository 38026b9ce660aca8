/* SPDX-License-Identifier: MIT */
/* A grid divided into blocks, one for each rank. */
#ifndef HAMON_WORLD_SPLIT_H
#define HAMON_WORLD_SPLIT_H

#include "base/status.h"
#include "world/grid.h"

#include <stdbool.h>

/* The blocks form rows of parts[0] along x, parts[1] along y, parts[2] along z;
 * rank (k·parts[1] + j)·parts[0] + i has block (i, j, k). Along an axis their
 * extents differ by at most 1, the larger ones first. */
struct split {
    struct grid grid;
    int parts[GRID_AXES];
};

/* The cells of a rank: its own block, and the cells that it has including the
 * halo of its neighbours' cells; both as boxes of the whole grid. */
struct share {
    struct grid world;
    struct box own, held;
};

/* The cost of a step for the rank with the largest block and the most
 * neighbours, in stepped cells: its block, and for each face a message and the
 * face's cells, `depth` deep. Cells of a face across x, which are not adjacent
 * in memory, count 16 times. */
double split_cost(const struct split *split, int depth);

/* Divides the grid for `ranks` ≥ 1 at minimum cost; of equal divisions it takes
 * the one with fewer parts along x, then y. Each block is at least `depth`
 * thick along a divided axis. STATUS_INPUT if the grid is too small for so many
 * ranks. */
enum status split_make(const struct grid *grid, int ranks, int depth,
                       struct split *split, struct error *error);

/* The block of a rank. */
struct box split_block(const struct split *split, int rank);

/* The cells of rank `rank`, with a halo of `depth` round its block. */
struct share split_share(const struct split *split, int rank, int depth);

/* The whole grid as one share. */
struct share share_whole(const struct grid *grid);

/* Is a cell of the whole grid one of the share's own? */
static inline bool share_owns(const struct share *share, int x, int y, int z)
{
    const int *low = share->own.low, *high = share->own.high;
    return x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] &&
           z >= low[2] && z <= high[2];
}

/* A position in the coordinates of the share. The subtraction is exact: the
 * result is a multiple of the position's last place, and no larger. */
static inline void share_local(const struct share *share,
                               const double at[GRID_AXES],
                               double local[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        local[axis] = at[axis] - share->held.low[axis];
}

/* The intersection of two boxes; false if it is empty. */
bool box_meet(const struct box *a, const struct box *b, struct box *both);

/* The box moved by −offset on each axis. */
struct box box_from(const struct box *box, const int offset[GRID_AXES]);

#endif
