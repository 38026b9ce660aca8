/* SPDX-License-Identifier: MIT */
#include "world/split.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void extents(const struct grid *grid, int extent[GRID_AXES])
{
    extent[0] = grid->nx;
    extent[1] = grid->ny;
    extent[2] = grid->nz;
}

static bool fits(const int extent[GRID_AXES], const int parts[GRID_AXES],
                 int depth)
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (parts[axis] > 1 && extent[axis] / parts[axis] < depth)
            return false;
    return true;
}

double split_cost(const struct split *split, int depth)
{
    /* A message inside a node takes about .5 us and 1/40 ns a byte, between
     * nodes 1.5 us and 1/12.5: the time of stepping so many cells of 4 bytes.
     * Each cell of a face across x is in another line of 64 bytes. Stepping a
     * cell in the cache takes .1 ns, as long as sending its 4 bytes. */
    static const double message = 4700, spread[GRID_AXES] = { 16, 1, 1 };
    int extent[GRID_AXES];
    double block = 1, cost;
    extents(&split->grid, extent);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        extent[axis] = (extent[axis] - 1) / split->parts[axis] + 1;
        block *= extent[axis];
    }
    cost = block;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int faces = split->parts[axis] > 2 ? 2 : split->parts[axis] - 1;
        double face = depth * (block / extent[axis]);
        cost += faces * (message + spread[axis] * face);
    }
    return cost;
}

/* HAMON_BLOCKS="2x1x1 2x2x1" in the environment: the first of these cuts
 * along x, y and z that has as many blocks as ranks and fits, so that tests and
 * measurements can have every cut on one map. */
static bool cut_given(struct split *split, int ranks, int depth)
{
    const char *text = getenv("HAMON_BLOCKS");
    int extent[GRID_AXES], *parts = split->parts, length;
    extents(&split->grid, extent);
    while (text && sscanf(text, " %dx%dx%d%n", &parts[0], &parts[1], &parts[2],
                          &length) == GRID_AXES) {
        text += length;
        if (parts[0] > 0 && parts[1] > 0 && parts[2] > 0 &&
            (double)parts[0] * parts[1] * parts[2] == ranks &&
            fits(extent, parts, depth))
            return true;
    }
    return false;
}

enum status split_make(const struct grid *grid, int ranks, int depth,
                       struct split *split, struct error *error)
{
    int extent[GRID_AXES];
    double least = HUGE_VAL;
    extents(grid, extent);
    split->grid = *grid;
    if (cut_given(split, ranks, depth))
        return STATUS_OK;
    for (int x = 1; x <= ranks; x++)
        for (int y = 1; ranks % x == 0 && y <= ranks / x; y++) {
            struct split way = { *grid, { x, y, ranks / x / y } };
            if (ranks / x % y != 0 || !fits(extent, way.parts, depth) ||
                split_cost(&way, depth) >= least)
                continue;
            least = split_cost(&way, depth);
            *split = way;
        }
    if (least == HUGE_VAL)
        return error_set(
            error, STATUS_INPUT,
            "%d ranks cannot share a grid of %d x %d x %d cells in "
            "blocks at least %d thick: take fewer",
            ranks, grid->nx, grid->ny, grid->nz, depth);
    return STATUS_OK;
}

struct box split_block(const struct split *split, int rank)
{
    int extent[GRID_AXES];
    struct box box;
    extents(&split->grid, extent);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int parts = split->parts[axis], i = rank % parts;
        int size = extent[axis] / parts, larger = extent[axis] % parts;
        box.low[axis] = size * i + (i < larger ? i : larger);
        box.high[axis] = box.low[axis] + size + (i < larger) - 1;
        rank /= parts;
    }
    return box;
}

struct share split_share(const struct split *split, int rank, int depth)
{
    struct share share = { .world = split->grid,
                           .own = split_block(split, rank) };
    struct box wide = share.own, whole = grid_box(&split->grid);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        wide.low[axis] -= depth;
        wide.high[axis] += depth;
    }
    box_meet(&wide, &whole, &share.held);
    return share;
}

struct share share_whole(const struct grid *grid)
{
    struct box whole = grid_box(grid);
    return (struct share){ .world = *grid, .own = whole, .held = whole };
}

bool box_meet(const struct box *a, const struct box *b, struct box *both)
{
    bool any = true;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int low = a->low[axis] > b->low[axis] ? a->low[axis] : b->low[axis];
        int high =
            a->high[axis] < b->high[axis] ? a->high[axis] : b->high[axis];
        both->low[axis] = low;
        both->high[axis] = high;
        any = any && low <= high;
    }
    return any;
}

struct box box_from(const struct box *box, const int offset[GRID_AXES])
{
    struct box moved = *box;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        moved.low[axis] -= offset[axis];
        moved.high[axis] -= offset[axis];
    }
    return moved;
}
