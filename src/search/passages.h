/* SPDX-License-Identifier: MIT */
/* The moves that each cell of a terrain allows, and their weights: the map for
 * every search on the grid. Built once, shared by any number of workspaces,
 * updated after a map event.
 *
 * A move is allowed if every cell of its bounding box is free (no corner is
 * cut: Sturtevant 2012), if it leaves a one-way cell only along its arrow, and
 * if it does not enter a one-way cell against its arrow. Its weight is its
 * length (or 1, by the measure) times the cost of the cell that it enters.
 *
 * Weights are integers, so that sums do not depend on their order and equal
 * paths have equal weights. The unit is 1136689, a denominator of the
 * convergents of √2: 1607521/1136689 is √2 to 3e-13, so that the integers order
 * octile paths as the real numbers do. √3 is approximated to 6e-8.
 *
 * Arrays are padded by a border of closed cells, so that a neighbour's index is
 * one addition, without a test of the map's edges. */
#ifndef HAMON_SEARCH_PASSAGES_H
#define HAMON_SEARCH_PASSAGES_H

#include "base/status.h"
#include "search/moves.h"
#include "world/terrain.h"

#include <stdint.h>

enum measure {
    MEASURE_LENGTH, /* 1, √2, √3 */
    MEASURE_STEPS,  /* every move 1 */
};

/* ⌊n/d⌋ for 0 ≤ n ≤ most < 2³¹ by a product and a shift, which replace the
 * division in the conversion of cell indices. With 2^shift > most·d the
 * multiplier, at most 1 more than 2^shift/d, has too small an error to change
 * ⌊n/d⌋, and products stay below 2·most². */
struct divisor {
    uint64_t multiplier;
    int shift;
};

struct passages {
    struct grid grid;
    int moves; /* 4, 8, 6 or 26 */
    enum measure measure;
    unsigned mirror;               /* bit a: the order of moves is mirrored */
    struct move table[MOVES_3D];   /* the moves, `moves` of them in use */
    int32_t pitch, layer;          /* padded row and layer */
    int32_t cells;                 /* padded cells */
    int32_t offset[MOVES_3D];      /* of a move, in padded cells */
    int32_t stride[MOVES_3D];      /* of a move, in cells of the grid */
    uint8_t *wall;                 /* padded; the border is wall */
    uint32_t *open;                /* padded; bit d: move d is allowed from this
                                    * cell */
    double *cost;                  /* padded, or NULL: all 1 */
    double cost_low, cost_high;    /* over the cells seen so far */
    bool cost_whole;               /* all of these are integers */
    double unit;                   /* weight of length 1 at cost 1 */
    int64_t weight[MOVES_3D];      /* of move d, cost 1 */
    int64_t lowest[GRID_AXES + 1]; /* along 1, 2, 3 axes at cost_low */
    int64_t highest;               /* the maximum weight of a move */
    int64_t range;                 /* above any path's weight */
    uint32_t scale; /* counts changes of unit: sums in another unit are
                     * invalid */
    int64_t bound[GRID_AXES + 1]; /* of passages_bound: for 1, 2, 3 remaining
                                   * axes */
    /* The divisors: padded row and layer, and the grid's row and layer. */
    struct divisor by_pitch, by_layer, by_nx, by_ny;
};

/* moves must suit the grid (else STATUS_INPUT). Release with
 * passages_release. */
enum status passages_new(const struct terrain *terrain, int moves,
                         enum measure measure, struct passages **passages,
                         struct error *error);

/* The same with the moves in the order of moves.h after a reflection of the
 * axes whose bit of `mirror` is set (bit 0: x). Ties are broken in this order,
 * so the searches of a mirrored problem give the mirrored paths. */
enum status passages_new_mirrored(const struct terrain *terrain, int moves,
                                  enum measure measure, unsigned mirror,
                                  struct passages **passages,
                                  struct error *error);
void passages_release(struct passages *passages);

/* Updates after a change in `box` of the terrain (NULL: all of it). Moves of
 * cells up to one cell outside the box change with it. Allocates only when the
 * terrain has its first costs. */
enum status passages_update(struct passages *passages,
                            const struct terrain *terrain,
                            const struct box *box, struct error *error);

/* The move along a direction. */
static inline int passages_towards(const struct passages *p, enum direction d)
{
    return (int)d ^ (int)(p->mirror >> ((int)d >> 1) & 1);
}

static inline int32_t passages_quotient(int32_t n, struct divisor by)
{
    return (int32_t)((uint64_t)n * by.multiplier >> by.shift);
}

/* The padded index of a cell of the grid, and the reverse. */
static inline int32_t passages_at(const struct passages *p, int x, int y, int z)
{
    return (p->grid.dims == 2 ? 0 : (z + 1) * p->layer) + (y + 1) * p->pitch +
           x + 1;
}
static inline int32_t passages_index(const struct passages *p, size_t cell)
{
    int32_t row = passages_quotient((int32_t)cell, p->by_nx);
    int32_t x = (int32_t)cell - row * p->grid.nx, z = 0;
    if (p->grid.dims == 3)
        z = passages_quotient(row, p->by_ny);
    return passages_at(p, x, row - z * p->grid.ny, z);
}
static inline void passages_place(const struct passages *p, int32_t index,
                                  int at[GRID_AXES])
{
    int32_t layer = 0, row;
    if (p->grid.dims == 3)
        layer = passages_quotient(index, p->by_layer);
    index -= layer * p->layer;
    row = passages_quotient(index, p->by_pitch);
    at[2] = p->grid.dims == 2 ? 0 : layer - 1;
    at[1] = row - 1;
    at[0] = index - row * p->pitch - 1;
}
/* The distance of a padded cell from a position, on each axis. */
static inline void passages_apart(const struct passages *p, int32_t index,
                                  const int place[GRID_AXES],
                                  int apart[GRID_AXES])
{
    passages_place(p, index, apart);
    for (int axis = 0; axis < GRID_AXES; axis++)
        apart[axis] -= place[axis];
}
static inline size_t passages_cell(const struct passages *p, int32_t index)
{
    int at[GRID_AXES];
    passages_place(p, index, at);
    return grid_index(&p->grid, at[0], at[1], at[2]);
}

/* The weight of move d into the padded cell `to`. */
static inline int64_t passages_weight(const struct passages *p, int d,
                                      int32_t to)
{
    return p->cost ? (int64_t)((double)p->weight[d] * p->cost[to] + 0.5)
                   : p->weight[d];
}

/* A lower bound of the weight of a path between cells this far apart on each
 * axis (the octile distance at the lowest cost, or Manhattan or Chebyshev, by
 * moves and measure). It is consistent: over a move it falls by no more than
 * the move's weight. */
static inline int64_t passages_bound_apart(const struct passages *p, int dx,
                                           int dy, int dz)
{
    int64_t a = dx < 0 ? -dx : dx, b = dy < 0 ? -dy : dy;
    int64_t c = dz < 0 ? -dz : dz;
    int64_t most = a > b ? a : b, least = a > b ? b : a;
    int64_t middle = c > most ? most : c > least ? c : least;
    most = c > most ? c : most;
    least = c < least ? c : least;
    return p->bound[3] * least + p->bound[2] * (middle - least) +
           p->bound[1] * (most - middle);
}
static inline int64_t passages_bound(const struct passages *p,
                                     const int from[GRID_AXES],
                                     const int to[GRID_AXES])
{
    return passages_bound_apart(p, from[0] - to[0], from[1] - to[1],
                                from[2] - to[2]);
}

/* The maximum width of a bucket of keys f = g + h that still separates f's: if
 * all moves weigh the same, one move; else a 16th of the lightest (widths from
 * a 4th to a 64th were tried). */
static inline int64_t passages_grain(const struct passages *p)
{
    return p->highest == p->lowest[1] ? p->highest : p->lowest[1] / 16;
}

#endif
