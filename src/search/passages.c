/* SPDX-License-Identifier: MIT */
#include "search/passages.h"

#include "base/memory.h"

#include <math.h>

/* A denominator of a convergent of √2: see the header. */
static const double unit_length = 1136689;

static const int64_t range_limit = INT64_C(1) << 56;

/* Computes weights from unit and costs. The range is above every simple path's
 * weight, and small enough for a hundred queries between two clearings of a
 * workspace; if not, the unit is halved: with costs over 10⁵ on a map of 10⁵
 * cells. */
static void weigh(struct passages *p)
{
    double unit = p->unit, low = p->cost ? p->cost_low : 1;
    double high = p->cost ? p->cost_high : 1;
    while (unit * high * 2 * p->cells > (double)range_limit)
        unit = ceil(unit / 2);
    if (unit != p->unit)
        p->scale++;
    p->unit = unit;
    int64_t weight[GRID_AXES + 1];
    for (int axes = 1; axes <= GRID_AXES; axes++) {
        double length = p->measure == MEASURE_STEPS ? 1 : sqrt(axes);
        weight[axes] = (int64_t)(unit * length + 0.5);
        p->lowest[axes] = (int64_t)((double)weight[axes] * low + 0.5);
    }
    for (int d = 0; d < p->moves; d++)
        p->weight[d] = weight[p->table[d].axes];
    /* Moves along only one axis reach a cell k axes away in k moves. */
    for (int axes = 1; axes <= GRID_AXES; axes++)
        p->bound[axes] =
            p->moves > 2 * p->grid.dims ? p->lowest[axes] : p->lowest[1] * axes;
    int most = p->moves > 2 * p->grid.dims ? p->grid.dims : 1;
    p->highest = (int64_t)((double)weight[most] * high + 0.5);
    p->range = (p->highest + 1) * p->cells;
}

/* Is every cell but the first of the move's bounding box free? */
static bool box_free(const struct passages *p, int32_t at, int d)
{
    const int *step = p->table[d].step;
    for (int corner = 1; corner < 8; corner++) {
        int x = corner & 1 ? step[0] : 0, y = corner & 2 ? step[1] : 0;
        int z = corner & 4 ? step[2] : 0;
        if ((x || y || z) && p->wall[at + x + y * p->pitch + z * p->layer])
            return false;
    }
    return true;
}

static bool against(const struct move *move, int one_way)
{
    const int *arrow = direction_step[one_way - 1];
    return move->step[0] * arrow[0] + move->step[1] * arrow[1] +
               move->step[2] * arrow[2] <
           0;
}

static uint32_t open_moves(const struct passages *p,
                           const struct terrain *terrain,
                           const int cell[GRID_AXES])
{
    int32_t at = passages_at(p, cell[0], cell[1], cell[2]);
    const uint8_t *one_way = terrain->one_way;
    if (p->wall[at])
        return 0;
    uint32_t open = 0;
    for (int d = 0; d < p->moves; d++)
        if (!p->wall[at + p->offset[d]] &&
            (d < 2 * p->grid.dims || box_free(p, at, d)))
            open |= UINT32_C(1) << d;
    if (!one_way)
        return open;
    int arrow = one_way[grid_index(&p->grid, cell[0], cell[1], cell[2])];
    if (arrow)
        open &= arrow <= 2 * p->grid.dims
                    ? UINT32_C(1)
                          << passages_towards(p, (enum direction)(arrow - 1))
                    : 0;
    for (uint32_t rest = open; rest; rest &= rest - 1) {
        int d = __builtin_ctz(rest);
        const int *step = p->table[d].step;
        int to = one_way[grid_index(&p->grid, cell[0] + step[0],
                                    cell[1] + step[1], cell[2] + step[2])];
        if (to && against(&p->table[d], to))
            open &= ~(UINT32_C(1) << d);
    }
    return open;
}

static void copy_cells(struct passages *p, const struct terrain *terrain,
                       const struct box *box)
{
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(&p->grid, x, y, z);
                int32_t at = passages_at(p, x, y, z);
                p->wall[at] = terrain->wall[cell] != 0;
                if (!p->cost || !terrain->cost)
                    continue;
                p->cost[at] = terrain->cost[cell];
                p->cost_low = fmin(p->cost_low, p->cost[at]);
                p->cost_high = fmax(p->cost_high, p->cost[at]);
                p->cost_whole &= p->cost[at] == floor(p->cost[at]);
            }
}

static void open_cells(struct passages *p, const struct terrain *terrain,
                       const struct box *box)
{
    int low[GRID_AXES] = { 0 }, high[GRID_AXES] = { 0 };
    const int extent[GRID_AXES] = { p->grid.nx, p->grid.ny, p->grid.nz };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        low[axis] = box->low[axis] > 0 ? box->low[axis] - 1 : 0;
        high[axis] = box->high[axis] < extent[axis] - 1 ? box->high[axis] + 1
                                                        : extent[axis] - 1;
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                p->open[passages_at(p, x, y, z)] =
                    open_moves(p, terrain, (int[]){ x, y, z });
}

enum status passages_update(struct passages *p, const struct terrain *terrain,
                            const struct box *box, struct error *error)
{
    struct box all = grid_box(&p->grid);
    if (terrain->cost && !p->cost) {
        p->cost = memory_new((size_t)p->cells, sizeof *p->cost);
        if (!p->cost)
            return error_memory(error);
        for (int32_t i = 0; i < p->cells; i++)
            p->cost[i] = 1;
        p->cost_low = p->cost_high = terrain->cost[0];
        p->cost_whole = true;
        box = NULL;
    }
    copy_cells(p, terrain, box ? box : &all);
    open_cells(p, terrain, box ? box : &all);
    weigh(p);
    return STATUS_OK;
}

/* Low costs get their precision from a finer unit. */
static double unit_for(const struct terrain *terrain)
{
    double low = 1, unit = unit_length;
    size_t cells = grid_cells(&terrain->grid);
    for (size_t i = 0; terrain->cost && i < cells; i++)
        low = fmin(low, terrain->cost[i]);
    while (low < 1 && low > 0 && unit < 0x1p40) {
        low *= 2;
        unit *= 2;
    }
    return unit;
}

static struct divisor divisor_of(int32_t d, int32_t most)
{
    struct divisor by = { .shift = 0 };
    while (UINT64_C(1) << by.shift <= (uint64_t)most * (uint64_t)d)
        by.shift++;
    by.multiplier = (UINT64_C(1) << by.shift) / (uint64_t)d + 1;
    return by;
}

static void lay_out(struct passages *p)
{
    p->pitch = p->grid.nx + 2;
    p->layer = p->grid.dims == 2 ? 0 : p->pitch * (p->grid.ny + 2);
    p->by_pitch = divisor_of(p->pitch, p->cells);
    p->by_layer = divisor_of(p->layer ? p->layer : 1, p->cells);
    p->by_nx = divisor_of(p->grid.nx, p->cells);
    p->by_ny = divisor_of(p->grid.ny, p->cells);
    for (int d = 0; d < p->moves; d++) {
        int *step = p->table[d].step;
        p->table[d] = moves_of(&p->grid)[d];
        for (int axis = 0; axis < GRID_AXES; axis++)
            step[axis] = p->mirror >> axis & 1 ? -step[axis] : step[axis];
        p->offset[d] = step[0] + step[1] * p->pitch + step[2] * p->layer;
        p->stride[d] = step[0] + (step[1] + step[2] * p->grid.ny) * p->grid.nx;
    }
}

enum status passages_new(const struct terrain *terrain, int moves,
                         enum measure measure, struct passages **passages,
                         struct error *error)
{
    return passages_new_mirrored(terrain, moves, measure, 0, passages, error);
}

enum status passages_new_mirrored(const struct terrain *terrain, int moves,
                                  enum measure measure, unsigned mirror,
                                  struct passages **passages,
                                  struct error *error)
{
    const struct grid *grid = &terrain->grid;
    if (!moves_suit(moves, grid))
        return error_set(error, STATUS_INPUT,
                         "moves = %d on a grid of %d axes: %s are allowed",
                         moves, grid->dims,
                         grid->dims == 2 ? "4 and 8" : "6 and 26");
    double cells = (grid->nx + 2.) * (grid->ny + 2.) *
                   (grid->dims == 2 ? 1. : grid->nz + 2.);
    if (cells > INT32_MAX)
        return error_set(error, STATUS_INPUT,
                         "%.0f cells with their border: searches take at most "
                         "2147483647",
                         cells);
    struct passages *p = memory_new(1, sizeof *p);
    if (!p)
        return error_memory(error);
    *p = (struct passages){
        .grid = *grid, .moves = moves, .measure = measure, .mirror = mirror
    };
    p->cells = (int32_t)cells;
    p->unit = unit_for(terrain);
    lay_out(p);
    p->wall = memory_new((size_t)p->cells, sizeof *p->wall);
    p->open = memory_new((size_t)p->cells, sizeof *p->open);
    enum status status = STATUS_OK;
    if (!p->wall || !p->open)
        status = error_memory(error);
    const bool fill = !status && !memory_is_promised();
    for (int32_t i = 0; fill && i < p->cells; i++)
        p->wall[i] = 1;
    if (fill)
        status = passages_update(p, terrain, NULL, error);
    if (status)
        passages_release(p);
    else
        *passages = p;
    return status;
}

void passages_release(struct passages *p)
{
    if (!p)
        return;
    memory_release(p->wall);
    memory_release(p->open);
    memory_release(p->cost);
    memory_release(p);
}
