/* SPDX-License-Identifier: MIT */
/* The tiles of the Laplace-weighted wave, and how generations come to them.
 *
 * What a cell goes through (it is lit, held, closed) it goes through once, but
 * the front crosses every row, so that a loop over rows meets all of it in
 * every generation, and each meeting is a branch foretold wrongly. So vectors
 * stand in lists, a branch is one that a vector takes once, and what is left in
 * the loops is none. */
#include "wave/laplace_tiles.h"

#include "base/memory.h"

enum { ROWS = LAPLACE_SIDE, VECTORS = LAPLACE_SIDE }; /* of a tile */

static int all_rows(const struct grid *grid)
{
    return grid->ny * grid->nz;
}

static void tile_bounds(const struct laplace *laplace, size_t index,
                        struct laplace_tile *tile)
{
    const struct layout *layout = &laplace->layout;
    const struct grid *grid = &layout->grid;
    int row = (int)(index / laplace->tiles_in_row) * ROWS;
    int last =
        row + ROWS < all_rows(grid) ? row + ROWS - 1 : all_rows(grid) - 1;
    int x = (int)(index % laplace->tiles_in_row * VECTORS * layout->lanes);
    int end = x + (int)(VECTORS * layout->lanes) - (int)layout->lead;
    bool flat = row / grid->ny == last / grid->ny;
    tile->row = row;
    tile->rows = last - row + 1;
    tile->column = (int)(index % laplace->tiles_in_row) * VECTORS;
    for (int i = 0; i < tile->rows; i++)
        tile->vector[i] = (int32_t)(laplace_row(laplace, row + i) /
                                    (ptrdiff_t)layout->lanes) +
                          tile->column;
    tile->box = (struct box){
        .low = { x ? x - (int)layout->lead : 0, flat ? row % grid->ny : 0,
                 row / grid->ny },
        .high = { end < grid->nx ? end - 1 : grid->nx - 1,
                  flat ? last % grid->ny : grid->ny - 1, last / grid->ny },
    };
}

/* How many vectors hold its cells of a row. */
static int tile_vectors(const struct laplace *laplace,
                        const struct laplace_tile *tile)
{
    int vectors = laplace_row_vectors(laplace) - tile->column;
    return vectors < VECTORS ? vectors : VECTORS;
}

bool laplace_tile_up(struct laplace *laplace)
{
    size_t vectors = (size_t)laplace_row_vectors(laplace), used = 0;
    size_t rows = (size_t)all_rows(&laplace->layout.grid);
    laplace->tiles_in_row = (vectors + VECTORS - 1) / VECTORS;
    laplace->tiles = (rows + ROWS - 1) / ROWS * laplace->tiles_in_row;
    laplace->tile = memory_new(laplace->tiles, sizeof *laplace->tile);
    laplace->lists = memory_new(rows * vectors, sizeof *laplace->lists);
    if (!laplace->tile || !laplace->lists)
        return false;
    for (size_t i = 0; i < laplace->tiles; i++) {
        struct laplace_tile *tile = &laplace->tile[i];
        tile_bounds(laplace, i, tile);
        tile->size = tile->rows * tile_vectors(laplace, tile);
        tile->list = laplace->lists + used;
        used += (size_t)tile->size;
    }
    return true;
}

struct laplace_tile *laplace_tile_of(const struct laplace *laplace, size_t cell)
{
    const struct layout *layout = &laplace->layout;
    size_t nx = (size_t)layout->grid.nx;
    size_t across = (cell % nx + layout->lead) / (VECTORS * layout->lanes);
    return &laplace->tile[cell / nx / ROWS * laplace->tiles_in_row + across];
}

static void clear_row(struct laplace *laplace, const struct box *box, int row)
{
    const struct layout *layout = &laplace->layout;
    size_t cell = (size_t)row * (size_t)layout->grid.nx;
    ptrdiff_t i = layout_cell(layout, cell) + box->low[0];
    size_t width = (size_t)(box->high[0] - box->low[0] + 1);
    const uint8_t *wall = laplace->terrain->wall + cell + box->low[0];
    memset(field_at(layout, laplace->sum, i), 0, width * layout->item);
    memset(laplace->first + i, 0, width * sizeof *laplace->first);
    memset(laplace->arrived + i, 0, width * sizeof *laplace->arrived);
    for (size_t x = 0; x < width; x++)
        laplace->closed[i + (ptrdiff_t)x] = wall[x] ? LAPLACE_NEVER : 0;
    if (laplace->step)
        memset(laplace->step + cell + box->low[0], 0xff,
               width * sizeof *laplace->step);
}

/* What shares a vector with cells and is none is closed for ever. */
static void close_ends(struct laplace *laplace, int row)
{
    const struct layout *layout = &laplace->layout;
    ptrdiff_t lanes = (ptrdiff_t)layout->lanes, lead = (ptrdiff_t)layout->lead;
    ptrdiff_t i = laplace_row(laplace, row);
    ptrdiff_t end = laplace_row_vectors(laplace) * lanes;
    for (ptrdiff_t x = 0; x < lead; x++)
        laplace->closed[i + x] = LAPLACE_NEVER;
    for (ptrdiff_t x = lead + layout->grid.nx; x < end; x++)
        laplace->closed[i + x] = LAPLACE_NEVER;
}

void laplace_clear_tile(struct laplace *laplace, struct laplace_tile *tile)
{
    for (int row = tile->row; row < tile->row + tile->rows; row++) {
        clear_row(laplace, &tile->box, row);
        close_ends(laplace, row);
    }
    tile->rising = tile->settling = 0;
    memcpy(tile->dark, tile->free, sizeof tile->dark);
    tile->touched = tile->stale = false;
}

/* A vector goes where its cells have it. */
static void list_vector(const struct laplace *laplace,
                        struct laplace_tile *tile, int bit)
{
    const ptrdiff_t lanes = (ptrdiff_t)laplace->layout.lanes;
    const int32_t vector = laplace_vector(tile, bit);
    const ptrdiff_t at = vector * lanes;
    bool free = false, open = false, lit = false;
    for (ptrdiff_t i = at; i < at + lanes; i++) {
        free |= laplace->closed[i] != LAPLACE_NEVER;
        open |= laplace->closed[i] == 0;
        lit |= laplace->first[i] != 0;
    }
    tile->free[bit / 64] |= (uint64_t)free << bit % 64;
    tile->dark[bit / 64] |= (uint64_t)(open && !lit) << bit % 64;
    if (open && lit)
        tile->list[tile->rising++] = vector;
}

void laplace_list(const struct laplace *laplace, struct laplace_tile *tile)
{
    int vectors = tile_vectors(laplace, tile);
    tile->rising = tile->settling = 0;
    memset(tile->free, 0, sizeof tile->free);
    memset(tile->dark, 0, sizeof tile->dark);
    for (int row = 0; row < tile->rows; row++)
        for (int i = 0; i < vectors; i++)
            list_vector(laplace, tile, row * VECTORS + i);
}

static int32_t step_of(uint16_t arrived)
{
    return arrived == LAPLACE_NEVER ? LAPLACE_LOST : (int32_t)arrived - 1;
}

void laplace_tell_step(struct laplace *laplace, size_t cell)
{
    laplace->step[cell] =
        step_of(laplace->arrived[layout_cell(&laplace->layout, cell)]);
}

void laplace_tell_steps(struct laplace *laplace, struct laplace_tile *tile)
{
    const struct layout *layout = &laplace->layout;
    const struct box *box = &tile->box;
    int width = box->high[0] - box->low[0] + 1;
    tile->stale = false;
    if (!laplace->step)
        return;
    for (int row = tile->row; row < tile->row + tile->rows; row++) {
        size_t cell =
            (size_t)row * (size_t)layout->grid.nx + (size_t)box->low[0];
        const uint16_t *arrived = laplace->arrived + layout_cell(layout, cell);
        int32_t *step = laplace->step + cell;
        for (int x = 0; x < width; x++)
            step[x] = step_of(arrived[x]);
    }
}

/* ---- what is taken ---- */

struct take {
    struct laplace *laplace;
    const struct amplitudes *generation; /* packed; or NULL */
    const void *z[2];
    int count;
    const struct box *lit;
    size_t low, high; /* tiles */
};

static void lay_rows(void *context, int thread, int threads)
{
    const struct take *take = context;
    const struct amplitudes *generation = take->generation;
    const struct layout *layout = &take->laplace->layout;
    const struct grid *grid = &layout->grid;
    size_t first, last;
    team_share((size_t)all_rows(grid), thread, threads, &first, &last);
    for (size_t row = first; row < last; row++) {
        int y = (int)row % grid->ny, z = (int)row / grid->ny;
        ptrdiff_t from = y * generation->row + z * generation->layer;
        memcpy(
            field_at(layout, take->laplace->packed, layout_at(layout, 0, y, z)),
            field_at(layout, generation->values, from),
            (size_t)grid->nx * layout->item);
    }
}

/* Tiles are dealt out in turn, for what is lit of them lies together. */
static void take_tiles(void *context, int thread, int threads)
{
    const struct take *take = context;
    for (size_t i = take->low + (size_t)thread; i <= take->high;
         i += (size_t)threads) {
        struct laplace_tile *tile = &take->laplace->tile[i];
        struct box lit;
        if (!box_meet(&tile->box, take->lit, &lit))
            continue;
        take->laplace->take_tile(take->laplace, tile, take->z, take->count);
    }
}

static void take_lit(struct take *take, const struct box *lit,
                     struct team *team)
{
    const struct grid *grid = &take->laplace->layout.grid;
    const struct box all = grid_box(grid);
    size_t in_row = take->laplace->tiles_in_row;
    take->lit = lit ? lit : &all;
    int low = take->lit->low[2] * grid->ny + take->lit->low[1];
    int high = take->lit->high[2] * grid->ny + take->lit->high[1];
    take->low = (size_t)low / ROWS * in_row;
    take->high = (size_t)high / ROWS * in_row + in_row - 1;
    team_run(team, take_tiles, take);
}

static const void *number_0(const struct laplace *laplace,
                            const struct amplitudes *generation)
{
    return field_at(&laplace->layout, generation->values,
                    -laplace->layout.origin);
}

/* Where a generation 0 of one cell tells it. */
static void find_centre(struct laplace *laplace, const struct box *lit)
{
    laplace->has_centre = lit && box_cells(lit) == 1;
    for (int axis = 0; axis < GRID_AXES && laplace->has_centre; axis++)
        laplace->centre[axis] = lit->low[axis];
}

static bool follows(const struct laplace *laplace, int64_t age)
{
    return age == laplace->age + 1 && age <= laplace_oldest(&laplace->options);
}

void laplace_owe(struct laplace *laplace, const struct amplitudes *generation,
                 int64_t age, struct team *team)
{
    if (!generation->layout) {
        laplace_take(laplace, generation, age, team);
        return;
    }
    if (!follows(laplace, age))
        return;
    const void *z = number_0(laplace, generation);
    struct take take = { .laplace = laplace, .z = { z }, .count = 1 };
    laplace->age = age;
    if (age == 0)
        find_centre(laplace, generation->lit);
    if (age % 2 == 0) {
        laplace->owed = z;
        return;
    }
    if (laplace->owed) {
        take.z[0] = laplace->owed;
        take.z[1] = z;
        take.count = 2;
        laplace->owed = NULL;
    }
    take_lit(&take, generation->lit, team);
}

static void tell_steps(struct laplace *laplace)
{
    for (size_t i = 0; i < laplace->tiles; i++)
        if (laplace->tile[i].stale)
            laplace_tell_steps(laplace, &laplace->tile[i]);
}

void laplace_catch_up(struct laplace *laplace, struct team *team)
{
    struct take take = { .laplace = laplace,
                         .z = { laplace->owed },
                         .count = 1 };
    laplace->owed = NULL;
    if (take.z[0])
        take_lit(&take, NULL, team);
    tell_steps(laplace);
}

void laplace_take(struct laplace *laplace, const struct amplitudes *generation,
                  int64_t age, struct team *team)
{
    struct take take = { .laplace = laplace,
                         .generation = generation,
                         .z = { laplace->packed },
                         .count = 1 };
    if (!follows(laplace, age))
        return;
    laplace_catch_up(laplace, team);
    laplace->age = age;
    if (age == 0)
        find_centre(laplace, generation->lit);
    if (generation->layout)
        take.z[0] = number_0(laplace, generation);
    else
        team_run(team, lay_rows, &take);
    take_lit(&take, generation->lit, team);
    tell_steps(laplace);
}
