/* SPDX-License-Identifier: MIT */
/* A grid cut into blocks, one for each of some ranks. */
#ifndef HAMON_WORLD_SPLIT_H
#define HAMON_WORLD_SPLIT_H

#include "base/status.h"
#include "world/grid.h"

#include <stdbool.h>

/* Blocks in rows of parts[0] along x, parts[1] along y, parts[2] along z; rank
 * (k·parts[1] + j)·parts[0] + i has block (i, j, k). Along an axis their
 * extents differ by at most 1, the larger ones first. */
struct split {
    struct grid grid;
    int parts[GRID_AXES];
};

/* The rank's share: the block that is its own, and what it holds of its
 * neighbours' beside it, both as boxes of the whole grid. */
struct share {
    struct grid world;
    struct box own, held;
};

/* What a step costs the rank with the largest block and the most neighbours, in
 * cells stepped: its block, and for each face a message and the face's cells,
 * `depth` deep; those of a face across x, which lie apart in memory, count 16
 * times. */
double split_cost(const struct split *split, int depth);

/* Cuts the grid for `ranks` ≥ 1 so that the cost is least, of equal ways the
 * one cut less along x, then y. Each block is at least `depth` thick along a
 * cut axis. STATUS_INPUT where the grid is too small for so many. */
enum status split_make(const struct grid *grid, int ranks, int depth,
                       struct split *split, struct error *error);

/* The block of a rank. */
struct box split_block(const struct split *split, int rank);

/* What rank `rank` holds with a halo of `depth` round its block. */
struct share split_share(const struct split *split, int rank, int depth);

/* The whole grid as one share. */
struct share share_whole(const struct grid *grid);

/* The grid of what a share holds, and its cells' coordinates in it. */
struct grid share_grid(const struct share *share);

static inline bool share_owns(const struct share *share, int x, int y, int z)
{
    const int *low = share->own.low, *high = share->own.high;
    return x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] &&
           z >= low[2] && z <= high[2];
}

/* A position in the coordinates of what is held. Exact: a position is a whole
 * number of its own last places, and so is this, which is no larger. */
static inline void share_local(const struct share *share,
                               const double at[GRID_AXES],
                               double local[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        local[axis] = at[axis] - share->held.low[axis];
}

/* The cells that two boxes share; false where there are none. */
bool box_meet(const struct box *a, const struct box *b, struct box *both);

/* The box moved by −offset on each axis. */
struct box box_from(const struct box *box, const int offset[GRID_AXES]);

#endif
