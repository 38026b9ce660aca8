/* SPDX-License-Identifier: MIT */
#include "wave/laplace/band_loops.h"

#include "base/memory.h"
#include "base/team.h"
#include "wave/step/units.h"

#include <math.h>
#include <string.h>

/* A line with cells of the halo: `cells` are those cells, `open` the open ones.
 * The bits of the band (front_band.open) contain this rank's own cells only. */
struct band_halo {
    ptrdiff_t at;
    int tile, bit;
    uint16_t cells, open;
};

static inline bool band_line_is_dark(const struct layout *layout,
                                     const void *field, ptrdiff_t at)
{
    static const char dark[64];
    return memcmp(field_from(layout, field, at), dark, sizeof dark) == 0;
}

void front_band_rest(struct laplace_wave *front)
{
    struct front_band *band = front->band;
    front_band_catch_up(front);
    band->step = NULL;
    band->stale = true;
}

void front_band_set_level(struct laplace_wave *front, enum kernel_level level)
{
    static const struct band_loops *const flat[][LEVELS] = {
        EACH_LEVEL(&flat, single), EACH_LEVEL(&flat, double)
    };
    static const struct band_loops *const solid[][LEVELS] = {
        EACH_LEVEL(&solid, single), EACH_LEVEL(&solid, double)
    };
    const struct medium *medium = front->medium;
    const int precision = laplace_wave_is_single(front) ? 0 : 1;
    const struct band_loops *loops = shape_is_solid(medium->shape)
                                         ? solid[precision][level]
                                         : flat[precision][level];
    const bool select = medium->settings.walls == WALLS_FREE &&
                        medium->form != COEFFICIENTS_FACE;
    front_band_rest(front);
    front->band->step =
        loops->step[medium->shape][medium->form][select][front->pair.count - 1];
    front->band->multiply = loops->multiply;
    front->band->catch_up = loops->catch_up;
    front->band->store = loops->store;
}

#define WEST_COLUMN UINT64_C(0x1111111111111111)
#define EAST_COLUMN (WEST_COLUMN << (BAND_LINES - 1))

/* ---- beside neighbours, if ranks share the wave; else nothing ----
 *
 * The loops of the band step and sum this rank's own cells alone. After each
 * generation z of the halo comes from the neighbours and is summed here. Cells
 * of the halo close by the same rule, at the same age, as in the rank that owns
 * them, so that no sum is sent. */

/* Those cells of a line, which begins at x = `begin`, with low ≤ x ≤ high. */
static uint16_t cells_between(const struct layout *layout, int begin, int low,
                              int high)
{
    const int lanes = (int)layout->lanes;
    const int first = low > begin ? low - begin : 0;
    const int last = high < begin + lanes ? high - begin : lanes - 1;
    if (first > last)
        return 0;
    return (uint16_t)((2u << last) - (1u << first));
}

static uint16_t own_cells(const struct medium *medium, int begin, int y, int z)
{
    const struct box *own = &medium->own;
    if (y < own->low[1] || y > own->high[1] || z < own->low[2] ||
        z > own->high[2])
        return 0;
    return cells_between(&medium->layout, begin, own->low[0], own->high[0]);
}

/* One bit for each cell of a line that is this rank's own; all of them if ranks
 * do not share the wave. */
static uint16_t band_own_cells(const struct medium *medium,
                               const struct band_tile *tile, int bit)
{
    const struct layout *layout = &medium->layout;
    const int y = tile->box.low[1] + bit / BAND_LINES, z = tile->box.low[2];
    if (!medium->halo)
        return UINT16_MAX;
    return own_cells(
        medium,
        (int)(band_place(layout, tile, bit) - layout_at(layout, 0, y, z)), y,
        z);
}

/* Appends those of a row, or counts them if there is no room for them yet. */
static void list_row(const struct medium *medium, struct front_band *band,
                     int y, int z)
{
    const struct layout *layout = &medium->layout;
    const int lanes = (int)layout->lanes, lead = (int)layout->lead;
    const int nx = layout->grid.nx;
    for (int i = 0; i * lanes - lead < nx; i++) {
        const int begin = i * lanes - lead;
        const unsigned cells = cells_between(layout, begin, 0, nx - 1) &
                               ~(unsigned)own_cells(medium, begin, y, z);
        if (cells && band->halo)
            band->halo[band->halo_lines] = (struct band_halo){
                .at = layout_at(layout, begin, y, z),
                .tile = z * band->in_layer + y / BAND_ROWS * band->in_row +
                        i / BAND_LINES,
                .bit = y % BAND_ROWS * BAND_LINES + i % BAND_LINES,
                .cells = (uint16_t)cells,
            };
        band->halo_lines += cells != 0;
    }
}

static void list_lines(const struct medium *medium, struct front_band *band)
{
    const struct grid *grid = &medium->layout.grid;
    band->halo_lines = 0;
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++)
            list_row(medium, band, y, z);
}

/* front_band_release frees what it makes. */
static enum status band_halo_new(const struct medium *medium,
                                 struct front_band *band, struct error *error)
{
    if (!medium->halo)
        return STATUS_OK;
    list_lines(medium, band);
    band->halo = memory_new(band->halo_lines, sizeof *band->halo);
    if (!band->halo)
        return error_memory(error);
    if (!memory_is_promised()) /* else the memory would be touched */
        list_lines(medium, band);
    return STATUS_OK;
}

/* Which cells are open, from the arrays. */
static void band_halo_read(struct laplace_wave *front)
{
    struct front_band *band = front->band;
    const uint16_t *closed = front->pair.sum[0].closed;
    for (size_t i = 0; i < band->halo_lines; i++) {
        struct band_halo *line = &band->halo[i];
        line->open = 0;
        for (unsigned left = line->cells; left; left &= left - 1)
            if (closed[line->at + __builtin_ctz(left)] == 0)
                line->open |= (uint16_t)(left & -left);
    }
}

/* The open cells of a line, as NAME(step_vector) of band.inc sums them: after
 * the generation before, if that was owed, the newest one; a look closes. */
#define DEFINE_SUM_HALO(name, real, magnitude)                                 \
    static void name(const struct laplace_wave *front, struct band_halo *line, \
                     const real *owed, const real *newest, bool looks)         \
    {                                                                          \
        const struct laplace_pair *pair = &front->pair;                        \
        const real ceiling = (real)front->ceiling;                             \
        for (unsigned left = line->open; left; left &= left - 1) {             \
            const ptrdiff_t at = line->at + __builtin_ctz(left);               \
            real last = 0;                                                     \
            for (int i = 0; i < pair->count; i++) {                            \
                const real growth = (real)pair->sum[i].growth;                 \
                real *sum = (real *)pair->sum[i].sum + at;                     \
                real grown = *sum * growth;                                    \
                if (owed)                                                      \
                    grown = (grown + owed[at]) * growth;                       \
                last = *sum = grown + newest[at];                              \
            }                                                                  \
            if (!looks || !(magnitude(last) > ceiling))                        \
                continue;                                                      \
            line->open &= (uint16_t) ~(left & -left);                          \
            for (int i = 0; i < pair->count; i++)                              \
                pair->sum[i].closed[at] = (uint16_t)(front->age + 1);          \
        }                                                                      \
    }
DEFINE_SUM_HALO(sum_halo_single, float, fabsf)
DEFINE_SUM_HALO(sum_halo_double, double, fabs)

/* Lines that have never been lit have nothing to sum. */
static void sum_lines(struct laplace_wave *front, const void *owed,
                      const void *newest, bool looks)
{
    struct front_band *band = front->band;
    const bool single = laplace_wave_is_single(front);
    bool was = denormals_flush(front->medium->settings.flush_denormals);
    for (size_t i = 0; i < band->halo_lines; i++) {
        struct band_halo *line = &band->halo[i];
        if (!line->open || !(band->tile[line->tile].lit >> line->bit & 1))
            continue;
        if (single)
            sum_halo_single(front, line, owed, newest, looks);
        else
            sum_halo_double(front, line, owed, newest, looks);
    }
    denormals_flush(was);
}

/* Lines to which light has come from a neighbour; end_step wakes what lies
 * round them. */
static void light_lines(struct laplace_wave *front)
{
    struct front_band *band = front->band;
    const struct layout *layout = &front->medium->layout;
    for (size_t i = 0; i < band->halo_lines; i++) {
        const struct band_halo *line = &band->halo[i];
        struct band_tile *tile = &band->tile[line->tile];
        const uint64_t bit = UINT64_C(1) << line->bit;
        if (tile->lit & bit ||
            band_line_is_dark(layout, front->wave->now, line->at))
            continue;
        tile->lit |= bit;
        tile->touched |= bit;
        tile->fresh |= bit;
    }
}

/* All together, after a generation was stepped: z of the halo comes from the
 * neighbours. If `sums`, it is summed, after the generation before if that was
 * owed; if `looks`, cells are closed. */
static void band_halo_take(struct laplace_wave *front, bool sums, bool owed,
                           bool looks)
{
    struct wave *wave = front->wave;
    if (!front->medium->halo)
        return;
    shared_grow(wave);
    shared_exchange(wave, wave->now);
    light_lines(front);
    if (sums)
        sum_lines(front, owed ? wave->before : NULL, wave->now, looks);
}

/* As front_band_catch_up; and, all together, z and open V times `by`, a power
 * of two. */
static void band_halo_catch_up(struct laplace_wave *front)
{
    sum_lines(front, NULL, front->wave->now, false);
}

static void band_halo_multiply(struct laplace_wave *front, double by)
{
    const struct front_band *band = front->band;
    const struct layout *layout = &front->medium->layout;
    if (!front->medium->halo)
        return;
    shared_load(front->wave);
    for (size_t i = 0; i < band->halo_lines; i++)
        for (unsigned left = band->halo[i].open; left; left &= left - 1) {
            const ptrdiff_t at = band->halo[i].at + __builtin_ctz(left);
            for (int j = 0; j < front->pair.count; j++) {
                void *sum = front->pair.sum[j].sum;
                field_set(layout, sum, at, field_value(layout, sum, at) * by);
            }
        }
}

/* ---- construction ---- */

/* The lines that have ghosts in or beside them. */
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
        edge |= (UINT64_C(1) << BAND_LINES) - 1;
    if (box->high[1] == grid->ny - 1)
        edge |= ((UINT64_C(1) << BAND_LINES) - 1)
                << BAND_LINES * (box->high[1] - box->low[1]);
    return edge & tile->mask;
}

static void lay_tile(const struct front_band *band, const struct layout *layout,
                     int index, struct band_tile *tile)
{
    const struct grid *grid = &layout->grid;
    const int lanes = (int)layout->lanes, lead = (int)layout->lead;
    const int column = index % band->in_row * BAND_LINES;
    const int in_row = (grid->nx + lead + lanes - 1) / lanes;
    const int lines =
        in_row - column < BAND_LINES ? in_row - column : BAND_LINES;
    const int x = column * lanes - lead, last = x + lines * lanes - 1;
    const int y = index % band->in_layer / band->in_row * BAND_ROWS;
    const int z = index / band->in_layer;
    *tile = (struct band_tile){
        .begin = layout_at(layout, x, y, z),
        .box = { .low = { x > 0 ? x : 0, y, z },
                 .high = { last < grid->nx ? last : grid->nx - 1,
                           y + BAND_ROWS <= grid->ny ? y + BAND_ROWS - 1
                                                     : grid->ny - 1,
                           z } },
    };
    for (int row = 0; row <= tile->box.high[1] - y; row++)
        tile->mask |= ((UINT64_C(1) << lines) - 1) << (row * BAND_LINES);
    tile->edge = edge_of(layout, tile, lines);
    tile->touched = tile->mask;
}

enum status front_band_new(const struct laplace_wave *front,
                           struct front_band **band, struct error *error)
{
    const struct layout *layout = &front->medium->layout;
    const struct grid *grid = &layout->grid;
    struct front_band *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    const int width = BAND_LINES * (int)layout->lanes;
    made->in_row = (grid->nx + (int)layout->lead + width - 1) / width;
    made->in_layer = made->in_row * ((grid->ny + BAND_ROWS - 1) / BAND_ROWS);
    made->tiles = made->in_layer * grid->nz;
    made->open =
        memory_new(layout->items / layout->lanes + 1, sizeof *made->open);
    if (front->pair.sum[0].step)
        made->held =
            memory_new(layout->items / layout->lanes + 1, sizeof *made->held);
    made->tile = memory_new((size_t)made->tiles, sizeof *made->tile);
    if (!made->open || !made->tile ||
        (front->pair.sum[0].step && !made->held)) {
        front_band_release(made);
        return error_memory(error);
    }
    /* If memory is only promised, this would touch it. */
    for (int i = 0; i < made->tiles && !memory_is_promised(); i++)
        lay_tile(made, layout, i, &made->tile[i]);
    enum status status = band_halo_new(front->medium, made, error);
    if (status) {
        front_band_release(made);
        return status;
    }
    *band = made;
    return STATUS_OK;
}

void front_band_release(struct front_band *band)
{
    if (!band)
        return;
    memory_release(band->open);
    memory_release(band->held);
    memory_release(band->tile);
    memory_release(band->halo);
    memory_release(band);
}

/* ---- which lines are stepped ---- */

static void wake(struct band_tile *tile, uint64_t lines)
{
    tile->active |= lines & tile->open;
    tile->touched |= lines & tile->open;
}

/* The lines of the tile that is this far away become active. */
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

/* Makes the lines round those that have just been lit active: those in the
 * layer that is `by` layers away. Lines across a corner, which only stencils
 * with diagonals read, are left out unless `diagonals`. */
static void wake_layer(struct front_band *band, bool diagonals, int index,
                       uint64_t lit, int by)
{
    const uint64_t west = (lit & WEST_COLUMN) << (BAND_LINES - 1);
    const uint64_t east = (lit & EAST_COLUMN) >> (BAND_LINES - 1);
    const uint64_t beside = (lit & ~WEST_COLUMN) >> 1 | (lit & ~EAST_COLUMN)
                                                            << 1;
    const uint64_t far = diagonals ? lit | beside : lit;
    const uint64_t far_west = diagonals ? west : 0;
    const uint64_t far_east = diagonals ? east : 0;
    const int row = BAND_LINES, last = BAND_LINES * (BAND_ROWS - 1);
    wake_beside(band, index, (const int[]){ 0, 0, by },
                lit | beside | far << row | far >> row);
    wake_beside(band, index, (const int[]){ -1, 0, by },
                west | far_west << row | far_west >> row);
    wake_beside(band, index, (const int[]){ 1, 0, by },
                east | far_east << row | far_east >> row);
    wake_beside(band, index, (const int[]){ 0, -1, by }, far << last);
    wake_beside(band, index, (const int[]){ 0, 1, by }, far >> last);
    wake_beside(band, index, (const int[]){ -1, -1, by }, far_west << last);
    wake_beside(band, index, (const int[]){ -1, 1, by }, far_west >> last);
    wake_beside(band, index, (const int[]){ 1, -1, by }, far_east << last);
    wake_beside(band, index, (const int[]){ 1, 1, by }, far_east >> last);
}

static void wake_round(struct front_band *band, enum kernel_shape shape,
                       int index)
{
    struct band_tile *tile = &band->tile[index];
    wake_layer(band, shape_has_diagonals(shape), index, tile->fresh, 0);
    for (int by = -1; by <= 1; by += 2)
        if (shape == SHAPE_TWENTY_SEVEN)
            wake_layer(band, true, index, tile->fresh, by);
        else
            wake_beside(band, index, (const int[]){ 0, 0, by }, tile->fresh);
    tile->fresh = 0;
}

/* Marks lines as lit, and makes all lines round them active. */
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
    wake_round(band, shape, index);
}

/* The lines of a tile that contain cells of a box. */
static uint64_t lines_of(const struct layout *layout,
                         const struct band_tile *tile, const struct box *box)
{
    struct box shared;
    uint64_t lines = 0;
    if (!box_meet(&tile->box, box, &shared))
        return 0;
    for (int y = shared.low[1]; y <= shared.high[1]; y++) {
        const int bit = (y - tile->box.low[1]) * BAND_LINES;
        const ptrdiff_t begin = band_place(layout, tile, bit);
        const ptrdiff_t row = layout_at(layout, 0, y, shared.low[2]) - begin;
        const ptrdiff_t lanes = (ptrdiff_t)layout->lanes;
        for (ptrdiff_t line = (row + shared.low[0]) / lanes;
             line <= (row + shared.high[0]) / lanes; line++)
            lines |= UINT64_C(1) << (bit + line);
    }
    return lines;
}

void front_band_light(struct laplace_wave *front)
{
    struct front_band *band = front->band;
    const struct medium *medium = front->medium;
    for (int i = 0; i < band->tiles; i++)
        light(band, medium->shape, i,
              lines_of(&medium->layout, &band->tile[i], &front->wave->lit));
    band_halo_read(front);
    band->stale = false;
}

/* ---- clearing before an emission ---- */

/* The cells of a line that are no walls, as bits. */
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

static void forget_line(struct laplace_wave *front, struct band_tile *tile,
                        int bit)
{
    const struct layout *layout = &front->medium->layout;
    const ptrdiff_t at = band_place(layout, tile, bit);
    const uint16_t open = free_cells(front->medium, at);
    const uint16_t own = band_own_cells(front->medium, tile, bit) & open;
    const size_t bytes = layout->lanes * layout->item;
    memset(field_at(layout, front->wave->now, at), 0, bytes);
    memset(field_at(layout, front->wave->before, at), 0, bytes);
    for (int i = 0; i < front->pair.count; i++)
        forget_sum(&front->pair.sum[i], at, open);
    front->band->open[at / (ptrdiff_t)layout->lanes] = own;
    tile->open |= (uint64_t)(own != 0) << bit;
}

/* Clears `step` of its cells. */
static void forget_steps(struct laplace_wave *front,
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

/* Clears the ghosts of the rows that have some. */
static void forget_ghosts(const struct layout *layout,
                          const struct band_tile *tile, void *field)
{
    const uint64_t row = (UINT64_C(1) << BAND_LINES) - 1;
    for (int y = tile->box.low[1]; y <= tile->box.high[1]; y++)
        if (tile->touched & tile->edge &
            row << (y - tile->box.low[1]) * BAND_LINES)
            layout_mirror_row(layout, field, y, tile->box.low[2]);
}

void front_band_forget(struct laplace_wave *front)
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
        tile->waiting = tile->mask;
    }
}

/* ---- taking over from the plain path ---- */

/* Must a line of the arrays be stepped? Also finds its open cells. */
static bool is_lit(const struct laplace_wave *front, ptrdiff_t at,
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
    return lit || !band_line_is_dark(layout, front->wave->now, at) ||
           !band_line_is_dark(layout, front->wave->before, at);
}

static void look_at(struct laplace_wave *front, struct band_tile *tile)
{
    const struct layout *layout = &front->medium->layout;
    tile->active = tile->open = tile->lit = 0;
    tile->touched = tile->waiting = tile->mask;
    for (uint64_t left = tile->mask; left; left &= left - 1) {
        const int bit = __builtin_ctzll(left);
        const ptrdiff_t at = band_place(layout, tile, bit);
        uint16_t *open = &front->band->open[at / (ptrdiff_t)layout->lanes];
        tile->lit |= (uint64_t)is_lit(front, at, open) << bit;
        *open &= band_own_cells(front->medium, tile, bit);
        tile->open |= (uint64_t)(*open != 0) << bit;
    }
}

static void look_round(struct laplace_wave *front)
{
    struct front_band *band = front->band;
    const struct medium *medium = front->medium;
    const int *centre = front->wave->centre; /* a source may still add to it */
    const struct box source = { .low = { centre[0], centre[1], centre[2] },
                                .high = { centre[0], centre[1], centre[2] } };
    for (int i = 0; i < band->tiles; i++)
        look_at(front, &band->tile[i]);
    for (int i = 0; i < band->tiles; i++)
        light(band, medium->shape, i,
              band->tile[i].lit |
                  lines_of(&medium->layout, &band->tile[i], &source));
    band_halo_read(front);
    band->stale = false;
}

/* ---- a generation ---- */

static void step_tiles(void *context, int thread, int threads)
{
    const struct band_pass *pass = context;
    const band_loop *step = pass->front->band->step;
    step[pass->work](pass, thread, threads);
    if (!pass->arrives || pass->work == BAND_ALL)
        return;
    struct band_pass rest = *pass;
    rest.again = true;
    rest.postpones = pass->work == BAND_STEPS;
    rest.owed = !rest.postpones;
    step[BAND_ALL](&rest, thread, threads);
}

static void multiply_tiles(void *context, int thread, int threads)
{
    const struct band_pass *pass = context;
    pass->front->band->multiply(pass, thread, threads);
}

void front_band_multiply(struct laplace_wave *front, int by, struct team *team)
{
    struct band_pass pass = {
        .front = front,
        .sweep = wave_sweep(front->wave, front->wave->now, front->wave->before),
        .by = ldexp(1, by),
    };
    team_step(team, front->band->cells, multiply_tiles, &pass);
    band_halo_multiply(front, pass.by);
}

static void owe(struct laplace_wave *front, const void *generation)
{
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].owed = generation;
}

/* Adds the postponed generation, with the denormal mode of the team's threads,
 * so that the bits are the same. */
void front_band_catch_up(struct laplace_wave *front)
{
    struct wave *wave = front->wave;
    const struct band_pass pass = {
        .front = front,
        .sweep = wave_sweep(wave, wave->now, wave->before),
    };
    if (!front->pair.sum[0].owed)
        return;
    bool was = denormals_flush(front->medium->settings.flush_denormals);
    front->band->catch_up(&pass, 0, 1);
    denormals_flush(was);
    band_halo_catch_up(front);
    owe(front, NULL);
}

static void store_tiles(void *context, int thread, int threads)
{
    const struct band_pass *pass = context;
    pass->front->band->store(pass, thread, threads);
}

/* Stores the arrivals of the generation that was stepped, except those that
 * need the exact test of end_step. */
static void store(struct band_pass *pass, struct team *team)
{
    const struct laplace_pair *pair = &pass->front->pair;
    pass->postpones = pass->work == BAND_STEPS;
    for (int i = 0; i < pair->count; i++)
        pass->least[i] = laplace_least(&pair->sum[i]);
    team_step(team, pass->front->band->cells, store_tiles, pass);
}

/* Stores arrivals in a line that may be spoilt. */
static void arrive(struct laplace_wave *front, struct band_tile *tile, int bit)
{
    const struct layout *layout = &front->medium->layout;
    const int y = tile->box.low[1] + bit / BAND_LINES, z = tile->box.low[2];
    const ptrdiff_t begin = band_place(layout, tile, bit);
    const int x = (int)(begin - layout_at(layout, 0, y, z));
    unsigned held = front->band->held[begin / (ptrdiff_t)layout->lanes];
    for (; held; held &= held - 1)
        if (!laplace_pair_store_step(
                &front->pair, (const int[]){ x + __builtin_ctz(held), y, z }))
            tile->waiting |= UINT64_C(1) << bit;
}

/* After all tiles were stepped: lines round newly lit ones become active, and
 * arrivals are stored. Returns the largest |z|. */
static double end_step(struct laplace_wave *front)
{
    struct front_band *band = front->band;
    double most = 0;
    size_t lines = 0;
    for (int i = 0; i < band->tiles; i++) {
        struct band_tile *tile = &band->tile[i];
        lines += (size_t)__builtin_popcountll(tile->active & tile->lit);
        if (tile->fresh)
            wake_round(band, front->medium->shape, i);
        for (uint64_t left = tile->held; left; left &= left - 1)
            arrive(front, tile, __builtin_ctzll(left));
        tile->held = 0;
        most = fmax(most, tile->most);
        tile->most = 0;
    }
    band->cells = lines * front->medium->layout.lanes;
    return most;
}

static enum band_work choose_work(const struct laplace_wave *front,
                                  const struct band_pass *pass)
{
    if (pass->driven >= 0 || front->look_every % 2 != 0)
        return BAND_ALL;
    if (front->age % 2 == 0)
        return BAND_STEPS;
    if (!front->pair.sum[0].owed)
        return BAND_ALL;
    return pass->looks ? BAND_LOOKS : BAND_SUMS;
}

static void turn(struct wave *wave)
{
    void *newest = wave->before;
    wave->before = wave->now;
    wave->now = newest;
    wave->step++;
    wave->lit = grid_box(&wave->medium->layout.grid);
}

double front_band_advance(struct laplace_wave *front, struct team *team)
{
    struct wave *wave = front->wave;
    struct band_pass pass = {
        .front = front,
        .sweep = wave_sweep(wave, wave->now, wave->before),
        .looks = laplace_wave_looks(front),
        .arrives = front->pair.sum[0].step != NULL,
        .driven = -1,
    };
    if (front->band->stale)
        look_round(front);
    if (source_adds(wave, wave->step + 1, &pass.added) && source_is_here(wave))
        pass.driven = layout_at(&front->medium->layout, wave->centre[0],
                                wave->centre[1], wave->centre[2]);
    pass.work = choose_work(front, &pass);
    if (pass.work == BAND_ALL)
        front_band_catch_up(front);
    team_step(team, front->band->cells, step_tiles, &pass);
    turn(wave);
    band_halo_take(front, pass.work != BAND_STEPS,
                   pass.work == BAND_SUMS || pass.work == BAND_LOOKS,
                   pass.looks);
    owe(front, pass.work == BAND_STEPS ? wave->now : NULL);
    if (pass.arrives)
        store(&pass, team);
    return end_step(front);
}
