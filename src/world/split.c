/* SPDX-License-Identifier: MIT */
#include "world/split.h"

static void extents(const struct grid *grid, int extent[GRID_AXES])
{
    extent[0] = grid->nx;
    extent[1] = grid->ny;
    extent[2] = grid->nz;
}

/* Cells along all cuts. */
static int64_t cut_cells(const int extent[GRID_AXES],
                         const int parts[GRID_AXES])
{
    int64_t cells = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        cells += (int64_t)(parts[axis] - 1) * extent[(axis + 1) % GRID_AXES] *
                 extent[(axis + 2) % GRID_AXES];
    return cells;
}

static bool fits(const int extent[GRID_AXES], const int parts[GRID_AXES],
                 int depth)
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (parts[axis] > 1 && extent[axis] / parts[axis] < depth)
            return false;
    return true;
}

enum status split_make(const struct grid *grid, int ranks, int depth,
                       struct split *split, struct error *error)
{
    int extent[GRID_AXES];
    int64_t fewest = INT64_MAX;
    extents(grid, extent);
    split->grid = *grid;
    for (int x = 1; x <= ranks; x++)
        for (int y = 1; ranks % x == 0 && y <= ranks / x; y++) {
            int parts[GRID_AXES] = { x, y, ranks / x / y };
            if (ranks / x % y != 0 || !fits(extent, parts, depth) ||
                cut_cells(extent, parts) >= fewest)
                continue;
            fewest = cut_cells(extent, parts);
            for (int axis = 0; axis < GRID_AXES; axis++)
                split->parts[axis] = parts[axis];
        }
    if (fewest == INT64_MAX)
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

struct grid share_grid(const struct share *share)
{
    return box_grid(&share->held, share->world.dims);
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
