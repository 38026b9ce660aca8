/* SPDX-License-Identifier: MIT */
/* Computes several generations in one pass through memory.
 *
 * The map is passed once along its slowest axis (the stream). Generation j
 * follows generation j − 1 at a distance of a row (in 3D of a layer, two at a
 * time): by then generation j − 1 no longer needs what generation j overwrites.
 * All of them use the same two arrays, and the rows between the first
 * generation and the last stay in the cache. If whole rows (layers) of all
 * generations do not fit the cache, the pass is divided into strips across the
 * stream; for the same reason each generation of a strip begins one cache line
 * (in 3D one row) before the previous one.
 *
 * Each thread takes a slab of the stream. Inside a slab, each generation ends
 * one row earlier than the previous one, so that it needs nothing of a
 * neighbouring slab. When all threads are done, the rows that were left out
 * between two slabs are computed. If the whole map stays in the cache anyway,
 * each generation of a slab is stepped at once: then threads synchronise twice
 * in a pass instead of at every generation. */
#include "wave/generations.h"

#include <limits.h>

/* Lines to prefetch for the first generation, whose strip comes from memory;
 * the later generations find it in the cache. */
enum { MOST_FUSED = 16, AHEAD = 32 };

/* Generations in a pass if the map fits the cache: the rows left out between
 * two slabs, which one thread computes, are then 64. */
enum { CACHED_FUSED = 8 };

struct fusion {
    struct sweep sweep[MOST_FUSED];
    int generations;
    struct box lit[MOST_FUSED];
    int stream, across; /* axes */
    int pace;           /* rows (layers) of one generation at a time */
    /* cells across; how far before it the next generation begins */
    int strip, lean;
    int lead; /* strips begin at multiples of `strip` minus this */
    int slabs;
    bool close; /* the phase for the rows between the slabs */
};

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* The first row of slab `slab` of those that the last generation reaches. */
static int slab_begin(const struct fusion *fusion, int slab)
{
    const struct box *all = &fusion->lit[fusion->generations - 1];
    size_t first, last;
    int low = all->low[fusion->stream], high = all->high[fusion->stream];
    if (slab == fusion->slabs)
        return high + 1;
    team_share((size_t)(high - low + 1), slab, fusion->slabs, &first, &last);
    return low + (int)first;
}

/* The rows of generation j (from 0) that the thread computes in this phase. */
static void stream_range(const struct fusion *fusion, int slab, int j, int *low,
                         int *high)
{
    const struct box *lit = &fusion->lit[j];
    if (fusion->close) {
        int middle = slab_begin(fusion, slab);
        *low = middle - j;
        *high = middle + j - 1;
    } else {
        *low = slab_begin(fusion, slab) + (slab > 0 ? j : 0);
        *high = slab_begin(fusion, slab + 1) - 1 -
                (slab + 1 < fusion->slabs ? j : 0);
    }
    *low = at_least(*low, lit->low[fusion->stream]);
    *high = at_most(*high, lit->high[fusion->stream]);
}

/* The blocks of every generation in one strip and slab; an empty block has
 * high < low. */
static bool lay_strip(const struct fusion *fusion, int slab, int strip,
                      struct box block[])
{
    bool any = false;
    for (int j = 0; j < fusion->generations; j++) {
        int low, high, across = fusion->across;
        block[j] = fusion->lit[j];
        stream_range(fusion, slab, j, &low, &high);
        block[j].low[fusion->stream] = low;
        block[j].high[fusion->stream] = high;
        int begin = strip * fusion->strip - j * fusion->lean - fusion->lead;
        block[j].low[across] = at_least(block[j].low[across], begin);
        block[j].high[across] =
            at_most(block[j].high[across], begin + fusion->strip - 1);
        if (block[j].high[across] < block[j].low[across])
            block[j].high[fusion->stream] = block[j].low[fusion->stream] - 1;
        any |= block[j].high[fusion->stream] >= block[j].low[fusion->stream];
    }
    return any;
}

static void run_strip(const struct fusion *fusion, const struct box block[])
{
    const int stream = fusion->stream, last = fusion->generations - 1;
    const int pace = fusion->pace;
    int begin = INT_MAX, end = INT_MIN;
    for (int j = 0; j <= last; j++)
        if (block[j].low[stream] <= block[j].high[stream]) {
            begin = at_most(begin, block[j].low[stream] + j);
            end = at_least(end, block[j].high[stream] + j);
        }
    for (int front = begin; front <= end; front += pace)
        for (int j = 0; j <= last; j++) {
            struct box rows = block[j];
            rows.low[stream] = at_least(rows.low[stream], front - j);
            rows.high[stream] =
                at_most(rows.high[stream], front - j + pace - 1);
            if (rows.low[stream] <= rows.high[stream])
                fusion->sweep[j].run(&fusion->sweep[j], &rows);
        }
}

static void fuse_share(void *context, int thread, int threads)
{
    const struct fusion *fusion = context;
    const struct box *all = &fusion->lit[fusion->generations - 1];
    struct box block[MOST_FUSED];
    int slab = fusion->close ? thread + 1 : thread;
    (void)threads;
    int reach = all->high[fusion->across] + fusion->lead +
                (fusion->generations - 1) * fusion->lean;
    for (int strip = 0; strip <= reach / fusion->strip; strip++)
        if (lay_strip(fusion, slab, strip, block))
            run_strip(fusion, block);
}

static struct sweep sweep_of(const struct wave *wave, int j)
{
    struct sweep sweep = j % 2 ? wave_sweep(wave, wave->before, wave->now)
                               : wave_sweep(wave, wave->now, wave->before);
    if (sweep.ahead)
        sweep.ahead = j ? 0 : AHEAD * (ptrdiff_t)wave->medium->layout.lanes;
    return sweep;
}

static void fuse(struct wave *wave, int generations, int strip,
                 struct team *team)
{
    const struct layout *layout = &wave->medium->layout;
    const bool solid = layout->grid.dims == 3;
    struct fusion fusion = {
        .generations = generations,
        .stream = solid ? 2 : 1,
        .across = solid ? 1 : 0,
        .pace = strip == FUSE_WHOLE ? FUSE_WHOLE
                : solid             ? KERNEL_LAYERS
                                    : 1,
        .strip = strip,
        .lean = solid ? 1 : (int)layout->lanes,
        .lead = solid ? 0 : (int)layout->lead,
    };
    int threads = team_begin(team, fuse_share,
                             box_cells(&wave->lit) * (size_t)generations);
    wave_grow(wave, fusion.lit, generations);
    for (int j = 0; j < generations; j++)
        fusion.sweep[j] = sweep_of(wave, j);
    int rows = wave->lit.high[fusion.stream] - wave->lit.low[fusion.stream] + 1;
    fusion.slabs = at_least(1, at_most(threads, rows / (2 * generations)));
    team_run_parts(team, fusion.slabs, fuse_share, &fusion);
    fusion.close = true;
    if (fusion.slabs > 1)
        team_run_parts(team, fusion.slabs - 1, fuse_share, &fusion);
    team_end(team);
    for (int j = 0; j < generations; j++)
        wave_turn(wave);
}

void wave_advance_fused(struct wave *wave, int64_t generations, int most,
                        int strip, struct team *team)
{
    if (source_lasts(wave->medium) || wave->edges)
        most = 1;
    if (most > MOST_FUSED)
        most = MOST_FUSED;
    while (wave->emitted >= 0 && generations > 0) {
        int fused = generations < most ? (int)generations : most;
        if (fused == 1)
            wave_step(wave, team);
        else
            fuse(wave, fused, strip, team);
        generations -= fused;
    }
}

/* The bytes that a strip one cell (in 3D one row) wide uses at a time: two
 * generations of each row (layer) between the first generation and the last. */
static size_t bytes_across(const struct layout *layout, int most)
{
    const bool solid = layout->grid.dims == 3;
    size_t cells = solid ? (size_t)layout->stride : 1;
    int lines = most + 1 + (solid ? KERNEL_LAYERS : 1);
    return 2 * (size_t)lines * cells * layout->item;
}

void wave_advance(struct wave *wave, int64_t generations, struct team *team)
{
    const struct medium *medium = wave->medium;
    const struct layout *layout = &medium->layout;
    const bool solid = layout->grid.dims == 3;
    const int most = solid ? 8 : 16;
    wave_catch_up(wave);
    size_t strip = medium->cache / bytes_across(layout, most);
    if (medium_is_cached(medium)) {
        wave_advance_fused(wave, generations, CACHED_FUSED, FUSE_WHOLE, team);
        return;
    }
    if (solid) /* at least as wide as the shift of its last generation */
        strip = strip < (size_t)most ? (size_t)most : strip;
    else
        strip = (strip / layout->lanes + 1) * layout->lanes;
    wave_advance_fused(wave, generations, most, (int)strip, team);
}

void wave_owe(struct wave *wave, struct team *team)
{
    if (wave->emitted < 0)
        return;
    if (wave->medium->halo) {
        wave_step(wave, team); /* neighbour ranks wait for it */
        return;
    }
    wave->owed++;
    wave->owed_by = team;
}

void wave_catch_up(struct wave *wave)
{
    const int64_t owed = wave->owed;
    if (!owed)
        return;
    wave->owed = 0;
    wave_advance(wave, owed, wave->owed_by);
}

/* ---- several waves ---- */

int wave_threads(size_t cells, int waves, int most)
{
    return team_worth(cells * (size_t)waves * CACHED_FUSED, most);
}

struct several {
    struct wave *const *waves;
    int count;
};

static void catch_up_share(void *context, int part, int parts)
{
    const struct several *several = context;
    size_t first, last;
    team_share((size_t)several->count, part, parts, &first, &last);
    for (size_t i = first; i < last; i++) {
        /* the team works on several waves here */
        several->waves[i]->owed_by = NULL;
        wave_catch_up(several->waves[i]);
    }
}

/* The remaining waves are computed one after another, by rows if that pays. */
void waves_catch_up(struct wave *const waves[], int count, struct team *team)
{
    const int threads = team_threads(team);
    struct several several = { .waves = waves, .count = count };
    size_t cells = 0;
    for (int i = 0; i < count; i++)
        if (waves[i]->owed)
            cells += (size_t)waves[i]->owed * box_cells(&waves[i]->lit);
    if (count >= threads)
        several.count = count / threads * threads;
    else if (team_worth(cells / (size_t)(count ? count : 1), threads) > 1)
        return;
    if (several.count < 2 || !cells)
        return;
    const int parts = team_begin(team, catch_up_share, cells);
    team_run_parts(team, at_most(parts, several.count), catch_up_share,
                   &several);
    team_end(team);
}

void wave_step(struct wave *wave, struct team *team)
{
    if (wave->emitted < 0)
        return;
    if (wave->medium->halo) {
        shared_step(wave, team);
        return;
    }
    wave_catch_up(wave);
    struct box lit;
    wave_grow(wave, &lit, 1);
    edges_reach(wave->edges, &lit);
    wave->lit = lit;
    wave_sweep_block(wave, &lit, team);
    edges_step(wave->edges, wave->now, wave->before, team);
    wave_turn(wave);
}
