/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "front_band_tiles.h"

#ifdef __x86_64__
#include "wave/kernel.h"

#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <string.h>

#define WEST_COLUMN UINT64_C(0x1111111111111111)
#define EAST_COLUMN (WEST_COLUMN << (VECTORS - 1))

bool band_can_run(void)
{
    return kernel_best() == LEVEL_AVX512;
}

/* ---- what is stepped ---- */

/* The tile this far away, or NULL. */
static struct band_tile *beside(struct band *band, int tile, int x, int y,
                                int z)
{
    int at_x = tile % band->in_row + x;
    int at_y = tile % band->in_layer / band->in_row + y;
    int at_z = tile / band->in_layer + z;
    if (at_x < 0 || at_x >= band->in_row || at_y < 0 ||
        at_y >= band->in_layer / band->in_row || at_z < 0 ||
        at_z >= band->tiles / band->in_layer)
        return NULL;
    return &band->tile[at_z * band->in_layer + at_y * band->in_row + at_x];
}

static void wake(struct band_tile *tile, uint64_t vectors)
{
    if (tile)
        band_wake(tile, vectors);
}

/* All vectors round those that have just been lit; for the 5- and 7-point
 * stencils the corners are too many, and dark. */
void band_wake_round(struct band *band, int tile, uint64_t lit)
{
    uint64_t west = lit & WEST_COLUMN, east = lit & EAST_COLUMN;
    uint64_t wide = lit | (lit & ~WEST_COLUMN) >> 1 | (lit & ~EAST_COLUMN) << 1;
    const int below = VECTORS, last = VECTORS * (ROWS - 1);
    wake(&band->tile[tile], wide | wide << below | wide >> below);
    if (west) {
        west <<= VECTORS - 1;
        wake(beside(band, tile, -1, 0, 0),
             west | west << below | west >> below);
        wake(beside(band, tile, -1, -1, 0), west << last);
        wake(beside(band, tile, -1, 1, 0), west >> last);
    }
    if (east) {
        east >>= VECTORS - 1;
        wake(beside(band, tile, 1, 0, 0), east | east << below | east >> below);
        wake(beside(band, tile, 1, -1, 0), east << last);
        wake(beside(band, tile, 1, 1, 0), east >> last);
    }
    wake(beside(band, tile, 0, -1, 0), wide << last);
    wake(beside(band, tile, 0, 1, 0), wide >> last);
    wake(beside(band, tile, 0, 0, -1), lit);
    wake(beside(band, tile, 0, 0, 1), lit);
}

void band_mirror(const struct band *band, const struct band_tile *tile,
                 float *field)
{
    const struct layout *layout = &band->layout;
    const struct grid *grid = &layout->grid;
    const struct box *box = &tile->box;
    const bool west = box->low[0] == 0, east = box->high[0] == grid->nx - 1;
    const bool up = grid->dims == 3 && box->low[2] == 0;
    const bool down = grid->dims == 3 && box->low[2] == grid->nz - 1;
    const size_t bytes =
        (size_t)(box->high[0] - box->low[0] + 1 + west + east) * sizeof *field;
    if (!west && !east && !up && !down && box->low[1] > 0 &&
        box->high[1] < grid->ny - 1)
        return;
    for (int y = box->low[1]; y <= box->high[1]; y++) {
        float *row = field + layout_at(layout, 0, y, box->low[2]);
        const float *from = row + box->low[0] - west;
        if (west)
            row[-1] = row[0];
        if (east)
            row[grid->nx] = row[grid->nx - 1];
        float *to = row + box->low[0] - west;
        if (y == 0)
            memcpy(to - layout->stride, from, bytes);
        if (y == grid->ny - 1)
            memcpy(to + layout->stride, from, bytes);
        if (up)
            memcpy(to - layout->layer, from, bytes);
        if (down)
            memcpy(to + layout->layer, from, bytes);
    }
}

/* ---- making it ---- */

static void choose_numbers(struct band *band)
{
    const struct band_options *options = &band->options;
    const double spread = options->by_time ? .125 : 0;
    band->growth[0] = expf((float)(options->p * (1 - spread)));
    band->growth[1] = expf((float)(options->p * (1 + spread)));
    band->largest = ldexpf(FLT_MIN, options->range);
    band->ceiling =
        (float)(ldexp(FLT_MIN, options->range) / (1 - 1 / band->growth[0]) *
                fmax(0x1p16, 2 / options->eta));
    band->closed = band->ceiling * ldexpf(1, BROUGHT + GROWN + 1);
    band->mark = ldexpf(1, BROUGHT + GROWN + 2);
}

static void lay_tiles(struct band *band)
{
    const struct layout *layout = &band->layout;
    const struct grid *grid = &layout->grid;
    const int lead = (int)layout->lead;
    const int row = (grid->nx + lead + LANES - 1) / LANES;
    for (int i = 0; i < band->tiles; i++) {
        struct band_tile *tile = &band->tile[i];
        int x = i % band->in_row * VECTORS * LANES - lead;
        int y = i % band->in_layer / band->in_row * ROWS;
        int left = row - i % band->in_row * VECTORS;
        int vectors = left < VECTORS ? left : VECTORS;
        int last = x + vectors * LANES - 1, bottom = y + ROWS - 1;
        tile->begin = layout_at(layout, x, y, i / band->in_layer);
        tile->box = (struct box){
            .low = { x > 0 ? x : 0, y, i / band->in_layer },
            .high = { last < grid->nx ? last : grid->nx - 1,
                      bottom < grid->ny ? bottom : grid->ny - 1,
                      i / band->in_layer },
        };
        for (int r = 0; r <= tile->box.high[1] - y; r++)
            tile->mask |= ((UINT64_C(1) << vectors) - 1) << (r * VECTORS);
    }
}

static void lay_walls(struct band *band, const struct terrain *terrain)
{
    const struct layout *layout = &band->layout;
    for (size_t i = 0; i < layout->items; i++)
        band->sum[0][i] = INFINITY;
    memset(band->walls, 0xff,
           (layout->items / LANES + 1) * sizeof *band->walls);
    for (size_t cell = 0; cell < grid_cells(&layout->grid); cell++) {
        ptrdiff_t item = layout_cell(layout, cell);
        if (terrain->wall[cell])
            continue;
        band->sum[0][item] = 0;
        band->walls[item / LANES] &= (uint16_t) ~(1u << item % LANES);
    }
}

static bool make_fields(struct band *band)
{
    const size_t items = band->layout.items;
    bool made = true;
    band->now = memory_new(items, sizeof(float));
    band->before = memory_new(items, sizeof(float));
    band->closed_at = memory_new(items, sizeof(uint16_t));
    band->walls = memory_new(items / LANES + 1, sizeof(uint16_t));
    band->scale_of = memory_new(UINT16_MAX, sizeof(int32_t));
    band->tile = memory_new((size_t)band->tiles, sizeof *band->tile);
    for (int i = 0; i < 2; i++) {
        band->sum[i] = memory_new(items, sizeof(float));
        band->arrived[i] = memory_new(items, sizeof(uint16_t));
        made = made && band->sum[i] && band->arrived[i];
    }
    return made && band->now && band->before && band->closed_at &&
           band->walls && band->scale_of && band->tile;
}

enum status band_init(struct band *band, const struct terrain *terrain,
                      const struct band_options *options, struct error *error)
{
    const struct grid *grid = &terrain->grid;
    *band = (struct band){ .options = *options };
    enum status status = layout_make(grid, sizeof(float), &band->layout, error);
    if (status != STATUS_OK)
        return status;
    int vectors = (grid->nx + (int)band->layout.lead + LANES - 1) / LANES;
    band->in_row = (vectors + VECTORS - 1) / VECTORS;
    band->in_layer = band->in_row * ((grid->ny + ROWS - 1) / ROWS);
    band->tiles = band->in_layer * grid->nz;
    if (!make_fields(band)) {
        band_release(band);
        return error_memory(error);
    }
    choose_numbers(band);
    lay_tiles(band);
    lay_walls(band, terrain);
    return STATUS_OK;
}

void band_release(struct band *band)
{
    memory_release(band->now);
    memory_release(band->before);
    memory_release(band->closed_at);
    memory_release(band->walls);
    memory_release(band->scale_of);
    memory_release(band->tile);
    for (int i = 0; i < 2; i++) {
        memory_release(band->sum[i]);
        memory_release(band->arrived[i]);
    }
    *band = (struct band){ .age = 0 };
}

/* Forgets the emission before, where it came. */
AVX512 static void forget(struct band *band)
{
    const __m512 zero = _mm512_setzero_ps();
    for (int i = 0; i < band->tiles; i++) {
        struct band_tile *tile = &band->tile[i];
        for (uint64_t left = tile->seen; left; left &= left - 1) {
            ptrdiff_t at = band_place(band, tile, __builtin_ctzll(left));
            __mmask16 wall = band->walls[at / LANES];
            _mm512_store_ps(band->now + at, zero);
            _mm512_store_ps(band->before + at, zero);
            _mm512_store_ps(
                band->sum[0] + at,
                _mm512_mask_blend_ps(wall, zero, _mm512_set1_ps(INFINITY)));
            _mm512_store_ps(band->sum[1] + at, zero);
            memset(band->arrived[0] + at, 0, LANES * sizeof(uint16_t));
            memset(band->arrived[1] + at, 0, LANES * sizeof(uint16_t));
        }
        if (tile->seen) {
            band_mirror(band, tile, band->now);
            band_mirror(band, tile, band->before);
        }
        tile->seen = tile->active = tile->lit = 0;
    }
}

void band_begin(struct band *band, size_t source)
{
    ptrdiff_t item = layout_cell(&band->layout, source);
    forget(band);
    band->age = band->vectors = 0;
    frexpf(band->largest, &band->scale);
    band->scale--;
    band->scale_of[0] = band->scale;
    band->now[item] = band->sum[0][item] = band->sum[1][item] = band->largest;
    band->arrived[0][item] = band->arrived[1][item] = 1;
    for (int i = 0; i < band->tiles; i++) {
        struct band_tile *tile = &band->tile[i];
        for (uint64_t left = tile->mask; left; left &= left - 1) {
            ptrdiff_t at = band_place(band, tile, __builtin_ctzll(left));
            if (at > item || item >= at + LANES)
                continue;
            band_wake(tile, left & -left);
            tile->lit = left & -left;
            band_wake_round(band, i, tile->lit);
            band_mirror(band, tile, band->now);
        }
    }
}

double band_log(const struct band *band, size_t cell)
{
    ptrdiff_t item = layout_cell(&band->layout, cell);
    float sum = band->sum[0][item];
    if (!(sum > band->closed) || isinf(sum))
        return -INFINITY;
    int64_t age = band->closed_at[item] - 1;
    return log((double)sum / (double)band->mark) -
           log((double)band->growth[0]) * (double)age -
           log(2) * (double)band->scale_of[age];
}

#else

bool band_can_run(void)
{
    return false;
}

enum status band_init(struct band *band, const struct terrain *terrain,
                      const struct band_options *options, struct error *error)
{
    (void)terrain;
    *band = (struct band){ .options = *options };
    return error_set(error, STATUS_FAILED, "not on this machine");
}

void band_release(struct band *band)
{
    (void)band;
}

void band_begin(struct band *band, size_t source)
{
    (void)band;
    (void)source;
}

double band_log(const struct band *band, size_t cell)
{
    (void)band;
    (void)cell;
    return 0;
}

#endif
