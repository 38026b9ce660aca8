/* SPDX-License-Identifier: MIT */
/* The band's tiles: what is in them, and what is stepped. */
#include "wave/laplace_front_band.h"

#include "base/memory.h"

#include <string.h>

enum { LINES = BAND_LINES, ROWS = BAND_ROWS };

#define WEST_COLUMN UINT64_C(0x1111111111111111)
#define EAST_COLUMN (WEST_COLUMN << (LINES - 1))

/* ---- making it ---- */

/* The lines that have ghosts beside them. */
static uint64_t edge_of(const struct layout *layout,
                        const struct band_tile *tile, int lines)
{
    const struct grid *grid = &layout->grid;
    const struct box *box = &tile->box;
    uint64_t edge = 0;
    if (grid->dims == 3 && (box->low[2] == 0 || box->low[2] == grid->nz - 1))
        return tile->mask;
    if (box->low[0] == 0)
        edge |= WEST_COLUMN;
    if (box->high[0] == grid->nx - 1)
        edge |= WEST_COLUMN << (lines - 1);
    if (box->low[1] == 0)
        edge |= (UINT64_C(1) << LINES) - 1;
    if (box->high[1] == grid->ny - 1)
        edge |= ((UINT64_C(1) << LINES) - 1)
                << LINES * (box->high[1] - box->low[1]);
    return edge & tile->mask;
}

static void lay_tile(const struct front_band *band, const struct layout *layout,
                     int index, struct band_tile *tile)
{
    const struct grid *grid = &layout->grid;
    const int lanes = (int)layout->lanes, lead = (int)layout->lead;
    const int column = index % band->in_row * LINES;
    const int in_row = (grid->nx + lead + lanes - 1) / lanes;
    const int lines = in_row - column < LINES ? in_row - column : LINES;
    const int x = column * lanes - lead, last = x + lines * lanes - 1;
    const int y = index % band->in_layer / band->in_row * ROWS;
    const int z = index / band->in_layer;
    *tile = (struct band_tile){
        .begin = layout_at(layout, x, y, z),
        .box = { .low = { x > 0 ? x : 0, y, z },
                 .high = { last < grid->nx ? last : grid->nx - 1,
                           y + ROWS <= grid->ny ? y + ROWS - 1 : grid->ny - 1,
                           z } },
    };
    for (int row = 0; row <= tile->box.high[1] - y; row++)
        tile->mask |= ((UINT64_C(1) << lines) - 1) << (row * LINES);
    tile->edge = edge_of(layout, tile, lines);
    tile->touched = tile->mask;
}

enum status front_band_new(const struct laplace_front *front,
                           struct front_band **band, struct error *error)
{
    const struct layout *layout = &front->medium->layout;
    const struct grid *grid = &layout->grid;
    struct front_band *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    const int width = LINES * (int)layout->lanes;
    made->in_row = (grid->nx + (int)layout->lead + width - 1) / width;
    made->in_layer = made->in_row * ((grid->ny + ROWS - 1) / ROWS);
    made->tiles = made->in_layer * grid->nz;
    made->open =
        memory_new(layout->items / layout->lanes + 1, sizeof *made->open);
    made->tile = memory_new((size_t)made->tiles, sizeof *made->tile);
    if (!made->open || !made->tile) {
        front_band_release(made);
        return error_memory(error);
    }
    for (int i = 0; i < made->tiles; i++)
        lay_tile(made, layout, i, &made->tile[i]);
    *band = made;
    return STATUS_OK;
}

void front_band_release(struct front_band *band)
{
    if (!band)
        return;
    memory_release(band->open);
    memory_release(band->tile);
    memory_release(band);
}

/* ---- what is stepped ---- */

static void wake(struct band_tile *tile, uint64_t lines)
{
    tile->active |= lines & tile->open;
    tile->touched |= lines & tile->open;
}

/* The lines in the tile this far away. */
static inline void wake_beside(struct front_band *band, int tile,
                               const int by[3], uint64_t lines)
{
    if (!lines)
        return;
    const int x = tile % band->in_row + by[0];
    const int y = tile % band->in_layer / band->in_row + by[1];
    const int z = tile / band->in_layer + by[2];
    if (x >= 0 && x < band->in_row && y >= 0 &&
        y < band->in_layer / band->in_row && z >= 0 &&
        z < band->tiles / band->in_layer)
        wake(&band->tile[z * band->in_layer + y * band->in_row + x], lines);
}

/* Of the corners, which only the 9-point stencil reads, those in a tile are
 * spared. */
void band_wake_round(struct front_band *band, enum kernel_shape shape,
                     int index)
{
    struct band_tile *tile = &band->tile[index];
    const uint64_t lit = tile->fresh;
    const uint64_t west = (lit & WEST_COLUMN) << (LINES - 1);
    const uint64_t east = (lit & EAST_COLUMN) >> (LINES - 1);
    const uint64_t beside = (lit & ~WEST_COLUMN) >> 1 | (lit & ~EAST_COLUMN)
                                                            << 1;
    const uint64_t far = shape == SHAPE_NINE ? lit | beside : lit;
    const uint64_t far_west = shape == SHAPE_NINE ? west : 0;
    const uint64_t far_east = shape == SHAPE_NINE ? east : 0;
    const int row = LINES, last = LINES * (ROWS - 1);
    wake(tile, lit | beside | far << row | far >> row);
    wake_beside(band, index, (const int[]){ -1, 0, 0 },
                west | far_west << row | far_west >> row);
    wake_beside(band, index, (const int[]){ 1, 0, 0 },
                east | far_east << row | far_east >> row);
    wake_beside(band, index, (const int[]){ 0, -1, 0 }, far << last);
    wake_beside(band, index, (const int[]){ 0, 1, 0 }, far >> last);
    wake_beside(band, index, (const int[]){ -1, -1, 0 }, far_west << last);
    wake_beside(band, index, (const int[]){ -1, 1, 0 }, far_west >> last);
    wake_beside(band, index, (const int[]){ 1, -1, 0 }, far_east << last);
    wake_beside(band, index, (const int[]){ 1, 1, 0 }, far_east >> last);
    wake_beside(band, index, (const int[]){ 0, 0, -1 }, lit);
    wake_beside(band, index, (const int[]){ 0, 0, 1 }, lit);
    tile->fresh = 0;
}

/* Lights lines, and all that lie round them. */
static void light(struct front_band *band, enum kernel_shape shape, int index,
                  uint64_t lines)
{
    struct band_tile *tile = &band->tile[index];
    if (!lines)
        return;
    tile->lit |= lines;
    tile->active |= lines;
    tile->touched |= lines;
    tile->fresh = lines;
    band_wake_round(band, shape, index);
}

/* The lines of a tile that hold cells of a box. */
static uint64_t lines_of(const struct layout *layout,
                         const struct band_tile *tile, const struct box *box)
{
    struct box shared;
    uint64_t lines = 0;
    if (!box_meet(&tile->box, box, &shared))
        return 0;
    for (int y = shared.low[1]; y <= shared.high[1]; y++) {
        const int bit = (y - tile->box.low[1]) * LINES;
        const ptrdiff_t begin = band_place(layout, tile, bit);
        const ptrdiff_t row = layout_at(layout, 0, y, shared.low[2]) - begin;
        const ptrdiff_t lanes = (ptrdiff_t)layout->lanes;
        for (ptrdiff_t line = (row + shared.low[0]) / lanes;
             line <= (row + shared.high[0]) / lanes; line++)
            lines |= UINT64_C(1) << (bit + line);
    }
    return lines;
}

void front_band_light(struct laplace_front *front)
{
    struct front_band *band = front->band;
    const struct medium *medium = front->medium;
    for (int i = 0; i < band->tiles; i++)
        light(band, medium->shape, i,
              lines_of(&medium->layout, &band->tile[i], &front->wave->lit));
    band->stale = false;
}

/* ---- what an emission leaves ---- */

/* The cells of a line, as bits: those that are no walls. */
static uint16_t free_cells(const struct medium *medium, ptrdiff_t at)
{
    const struct layout *layout = &medium->layout;
    const uint8_t *byte = medium->walls + at / WALL_BITS;
    unsigned walls = layout->lanes == 16 ? byte[0] | (unsigned)byte[1] << 8
                                         : byte[0] | 0xff00u;
    return (uint16_t)~walls;
}

static void forget_sum(struct laplace *sum, ptrdiff_t at, uint16_t open)
{
    const struct layout *layout = &sum->layout;
    const ptrdiff_t lanes = (ptrdiff_t)layout->lanes;
    memset(field_at(layout, sum->sum, at), 0, layout->lanes * layout->item);
    memset(sum->arrived + at, 0, layout->lanes * sizeof *sum->arrived);
    for (ptrdiff_t lane = 0; lane < lanes; lane++)
        sum->closed[at + lane] = open >> lane & 1 ? 0 : LAPLACE_NEVER;
}

static void forget_line(struct laplace_front *front, struct band_tile *tile,
                        int bit)
{
    const struct layout *layout = &front->medium->layout;
    const ptrdiff_t at = band_place(layout, tile, bit);
    const uint16_t open = free_cells(front->medium, at);
    const size_t bytes = layout->lanes * layout->item;
    memset(field_at(layout, front->wave->now, at), 0, bytes);
    memset(field_at(layout, front->wave->before, at), 0, bytes);
    for (int i = 0; i < front->pair.count; i++)
        forget_sum(&front->pair.sum[i], at, open);
    front->band->open[at / (ptrdiff_t)layout->lanes] = open;
    tile->open |= (uint64_t)(open != 0) << bit;
}

/* `step` of its cells. */
static void forget_steps(struct laplace_front *front,
                         const struct band_tile *tile)
{
    const struct grid *grid = &front->medium->layout.grid;
    const struct box *box = &tile->box;
    const size_t width = (size_t)(box->high[0] - box->low[0] + 1);
    for (int y = box->low[1]; y <= box->high[1]; y++) {
        size_t cell = grid_index(grid, box->low[0], y, box->low[2]);
        for (int i = 0; i < front->pair.count; i++)
            memset(front->pair.sum[i].step + cell, 0xff,
                   width * sizeof *front->pair.sum[i].step);
    }
}

/* Of the rows that have some. */
static void forget_ghosts(const struct layout *layout,
                          const struct band_tile *tile, void *field)
{
    const uint64_t row = (UINT64_C(1) << LINES) - 1;
    for (int y = tile->box.low[1]; y <= tile->box.high[1]; y++)
        if (tile->touched & tile->edge & row << (y - tile->box.low[1]) * LINES)
            layout_mirror_row(layout, field, y, tile->box.low[2]);
}

void front_band_forget(struct laplace_front *front)
{
    struct front_band *band = front->band;
    const struct layout *layout = &front->medium->layout;
    for (int i = 0; i < band->tiles; i++) {
        struct band_tile *tile = &band->tile[i];
        if (band->stale)
            tile->touched = tile->mask;
        if (!tile->touched)
            continue;
        tile->open &= ~tile->touched;
        for (uint64_t left = tile->touched; left; left &= left - 1)
            forget_line(front, tile, __builtin_ctzll(left));
        forget_ghosts(layout, tile, front->wave->now);
        forget_ghosts(layout, tile, front->wave->before);
        if (front->pair.sum[0].step)
            forget_steps(front, tile);
        tile->active = tile->lit = tile->touched = 0;
    }
}

/* ---- taking over ---- */

static bool is_dark(const struct layout *layout, const void *field,
                    ptrdiff_t at)
{
    static const char dark[64];
    return memcmp(field_at(layout, field, at), dark, sizeof dark) == 0;
}

/* Whether a line of the arrays is to be stepped; its open cells. */
static bool is_lit(const struct laplace_front *front, ptrdiff_t at,
                   uint16_t *open)
{
    const struct laplace *sum = &front->pair.sum[0];
    const struct layout *layout = &sum->layout;
    const ptrdiff_t lanes = (ptrdiff_t)layout->lanes;
    bool lit = false;
    *open = 0;
    for (ptrdiff_t lane = 0; lane < lanes; lane++) {
        if (sum->closed[at + lane] != 0)
            continue;
        *open |= (uint16_t)(1u << lane);
        lit |= field_value(layout, sum->sum, at + lane) != 0;
    }
    return lit || !is_dark(layout, front->wave->now, at) ||
           !is_dark(layout, front->wave->before, at);
}

static void look_at(struct laplace_front *front, struct band_tile *tile)
{
    const struct layout *layout = &front->medium->layout;
    tile->active = tile->open = tile->lit = 0;
    tile->touched = tile->mask;
    for (uint64_t left = tile->mask; left; left &= left - 1) {
        const int bit = __builtin_ctzll(left);
        const ptrdiff_t at = band_place(layout, tile, bit);
        uint16_t *open = &front->band->open[at / (ptrdiff_t)layout->lanes];
        tile->lit |= (uint64_t)is_lit(front, at, open) << bit;
        tile->open |= (uint64_t)(*open != 0) << bit;
    }
}

void front_band_look_round(struct laplace_front *front)
{
    struct front_band *band = front->band;
    const struct medium *medium = front->medium;
    const int *centre = front->wave->centre; /* it may yet be added to */
    const struct box source = { .low = { centre[0], centre[1], centre[2] },
                                .high = { centre[0], centre[1], centre[2] } };
    for (int i = 0; i < band->tiles; i++)
        look_at(front, &band->tile[i]);
    for (int i = 0; i < band->tiles; i++)
        light(band, medium->shape, i,
              band->tile[i].lit |
                  lines_of(&medium->layout, &band->tile[i], &source));
    band->stale = false;
}
