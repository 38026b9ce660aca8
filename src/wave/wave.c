/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "wave/generations.h"

#include <stdatomic.h>
#include <string.h>

enum status wave_new(const struct medium *medium, struct wave **wave,
                     struct error *error)
{
    struct wave *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    const struct layout *layout = &medium->layout;
    made->medium = medium;
    made->emitted = -1;
    made->now = memory_new(layout->items, layout->item);
    made->before = memory_new(layout->items, layout->item);
    enum status status = made->now && made->before
                             ? edges_new(medium, &made->edges, error)
                             : error_memory(error);
    if (status) {
        wave_release(made);
        return status;
    }
    *wave = made;
    return STATUS_OK;
}

void wave_release(struct wave *wave)
{
    if (!wave)
        return;
    edges_release(wave->edges);
    memory_release(wave->now);
    memory_release(wave->before);
    memory_release(wave);
}

const struct medium *wave_medium(const struct wave *wave)
{
    return wave->medium;
}

void wave_clear(struct wave *wave)
{
    const struct layout *layout = &wave->medium->layout;
    memset(wave->now, 0, layout->items * layout->item);
    memset(wave->before, 0, layout->items * layout->item);
    edges_clear(wave->edges);
}

static void place_source(struct wave *wave, size_t source)
{
    const struct share *share = &wave->medium->share;
    wave->source = source;
    grid_cell(&share->world, source, wave->centre);
    for (int axis = 0; axis < GRID_AXES; axis++)
        wave->centre[axis] +=
            wave->medium->margin[axis] - share->held.low[axis];
}

void wave_emit(struct wave *wave, size_t source, int64_t step)
{
    wave_clear(wave);
    wave_emit_again(wave, source, step);
}

void wave_emit_again(struct wave *wave, size_t source, int64_t step)
{
    wave->owed = 0;
    place_source(wave, source);
    wave->emitted = step;
    wave->step = step;
    wave->dark = false;
    source_emit(wave);
    if (wave->medium->halo)
        shared_emit(wave);
}

int64_t wave_emitted(const struct wave *wave)
{
    return wave->emitted;
}

void wave_clear_walls(struct wave *wave, const struct box *closed)
{
    const struct layout *layout = &wave->medium->layout;
    const struct terrain *terrain = wave->medium->terrain;
    const struct box there = medium_box(wave->medium, closed), *box = &there;
    wave_catch_up(wave);
    edges_clear_walls(wave->edges, box);
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                if (!terrain->wall[grid_index(&layout->grid, x, y, z)])
                    continue;
                field_set(layout, wave->now, layout_at(layout, x, y, z), 0);
                field_set(layout, wave->before, layout_at(layout, x, y, z), 0);
            }
            layout_mirror_row(layout, wave->now, y, z);
            layout_mirror_row(layout, wave->before, y, z);
        }
}

/* ---- reading ---- */

struct look {
    const struct wave *wave;
    void *field;
    struct box box; /* to be copied */
    atomic_bool infinite;
};

static const void *row_of(const struct wave *wave, size_t row)
{
    const struct layout *layout = &wave->medium->layout;
    size_t ny = (size_t)layout->grid.ny;
    return field_at(layout, wave->now,
                    layout_at(layout, 0, (int)(row % ny), (int)(row / ny)));
}

/* x·0 is ±0 for finite x and NaN else, and a sum of these stays NaN. Several
 * sums in parallel allow vectors: with only one, the order of its terms would
 * be fixed. */
#define DEFINE_IS_FINITE(name, real)                                           \
    static bool name(const real *row, size_t count)                            \
    {                                                                          \
        enum { LANES = 16 };                                                   \
        real sum[LANES] = { 0 };                                               \
        size_t x = 0;                                                          \
        for (; x + LANES <= count; x += LANES)                                 \
            for (size_t lane = 0; lane < LANES; lane++)                        \
                sum[lane] += row[x + lane] * 0;                                \
        for (; x < count; x++)                                                 \
            sum[0] += row[x] * 0;                                              \
        for (size_t lane = 1; lane < LANES; lane++)                            \
            sum[0] += sum[lane];                                               \
        return sum[0] == 0;                                                    \
    }
DEFINE_IS_FINITE(single_is_finite, float)
DEFINE_IS_FINITE(double_is_finite, double)

/* Outside the box `lit` all is +0. */
static void test_rows(void *context, int thread, int threads)
{
    struct look *look = context;
    const struct layout *layout = &look->wave->medium->layout;
    const struct box *lit = &look->wave->lit;
    size_t ny = (size_t)layout->grid.ny, first, last;
    size_t low = (size_t)lit->low[2] * ny + (size_t)lit->low[1];
    size_t high = (size_t)lit->high[2] * ny + (size_t)lit->high[1];
    team_share(high + 1 - low, thread, threads, &first, &last);
    size_t width = (size_t)(lit->high[0] - lit->low[0] + 1);
    for (size_t r = low + first; r < low + last; r++) {
        const void *row = (const char *)row_of(look->wave, r) +
                          (size_t)lit->low[0] * layout->item;
        if (layout->item == sizeof(float) ? !single_is_finite(row, width)
                                          : !double_is_finite(row, width)) {
            atomic_store(&look->infinite, true);
            return;
        }
    }
}

bool wave_is_finite(struct wave *wave, struct team *team)
{
    struct look look = { .wave = wave };
    if (wave->emitted < 0 || wave->dark)
        return true;
    wave_catch_up(wave);
    team_step(team, box_cells(&wave->lit), test_rows, &look);
    return !atomic_load(&look.infinite);
}

static void copy_rows(void *context, int thread, int threads)
{
    struct look *look = context;
    const struct layout *layout = &look->wave->medium->layout;
    const int *low = look->box.low, *high = look->box.high;
    size_t height = (size_t)(high[1] - low[1] + 1), first, last;
    size_t bytes = (size_t)(high[0] - low[0] + 1) * layout->item;
    team_share(height * (size_t)(high[2] - low[2] + 1), thread, threads, &first,
               &last);
    for (size_t r = first; r < last; r++) {
        int y = low[1] + (int)(r % height), z = low[2] + (int)(r / height);
        memcpy(
            (char *)look->field + r * bytes,
            field_at(layout, look->wave->now, layout_at(layout, low[0], y, z)),
            bytes);
    }
}

void wave_copy(struct wave *wave, void *field, struct team *team)
{
    struct look look = { .wave = wave,
                         .field = field,
                         .box = wave->medium->own };
    wave_catch_up(wave);
    team_step(team, box_cells(&look.box), copy_rows, &look);
}

void wave_copy_held(struct wave *wave, void *field, struct team *team)
{
    struct look look = { .wave = wave,
                         .field = field,
                         .box = medium_map_box(wave->medium) };
    wave_catch_up(wave);
    team_step(team, box_cells(&look.box), copy_rows, &look);
}

void wave_copy_older_held(struct wave *wave, void *field, struct team *team)
{
    wave_catch_up(wave);
    struct wave past = *wave;
    past.now = wave->before;
    wave_copy_held(&past, field, team);
}

void wave_save(struct wave *wave, void *newest, void *older, int64_t *emitted,
               int64_t *source)
{
    wave_catch_up(wave);
    struct wave past = *wave;
    past.now = wave->before;
    wave_copy(wave, newest, NULL);
    wave_copy(&past, older, NULL);
    *emitted = wave->emitted;
    *source = (int64_t)wave->source;
}

static void load_field(const struct medium *medium, void *field,
                       const void *packed)
{
    const struct layout *layout = &medium->layout;
    const int *low = medium->own.low, *high = medium->own.high;
    size_t bytes = (size_t)(high[0] - low[0] + 1) * layout->item, row = 0;
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++, row++)
            memcpy(field_at(layout, field, layout_at(layout, low[0], y, z)),
                   (const char *)packed + row * bytes, bytes);
    layout_mirror(layout, field);
}

/* Both generations were written by the caller, so any cell may be nonzero. */
static void light_all(struct wave *wave, int64_t step)
{
    wave->owed = 0;
    wave->step = step;
    wave->lit = grid_box(&wave->medium->layout.grid);
    wave->dark = false;
    wave->reach = shared_everywhere();
    edges_light(wave->edges);
}

void wave_load(struct wave *wave, const void *newest, const void *older,
               int64_t emitted, int64_t source, int64_t step)
{
    wave_clear(wave);
    load_field(wave->medium, wave->now, newest);
    load_field(wave->medium, wave->before, older);
    place_source(wave, (size_t)source);
    wave->emitted = emitted;
    light_all(wave, step);
    if (wave->medium->halo)
        shared_load(wave);
}

static void visit_field(const struct wave *wave, void *cells,
                        struct state *state)
{
    const struct layout *layout = &wave->medium->layout;
    struct state_field field = {
        .cells = field_at(layout, cells, layout->origin),
        .item = layout->item,
        .row = layout->stride,
        .layer = layout->layer,
        .box = wave->medium->open ? grid_box(&layout->grid)
                                  : wave->medium->share.held,
    };
    state_visit_field(state, &field);
}

void wave_state(struct wave *wave, int64_t step, struct state *state)
{
    int64_t source = (int64_t)wave->source;
    int64_t cells = (int64_t)grid_cells(&wave->medium->share.world);
    if (state->mode == STATE_SAVE)
        wave_catch_up(wave);
    state_visit_steps(state, &wave->emitted, 1);
    state_visit_whole(state, &source, 1, 0, cells - 1);
    visit_field(wave, wave->now, state);
    visit_field(wave, wave->before, state);
    edges_state(wave->edges, state);
    if (state->mode != STATE_LOAD)
        return;
    place_source(wave, (size_t)source);
    layout_mirror(&wave->medium->layout, wave->now);
    layout_mirror(&wave->medium->layout, wave->before);
    light_all(wave, step);
}

double wave_value(struct wave *wave, size_t cell)
{
    const struct layout *layout = &wave->medium->layout;
    wave_catch_up(wave);
    return field_value(layout, wave->now, medium_cell(wave->medium, cell));
}

struct amplitudes wave_newest(struct wave *wave)
{
    const struct medium *medium = wave->medium;
    const struct layout *layout = &medium->layout;
    const struct box map = medium_map_box(medium);
    wave_catch_up(wave);
    const bool lit = !wave->dark && box_meet(&wave->lit, &map, &wave->map_lit);
    wave->map_lit = box_from(&wave->map_lit, medium->margin);
    return (struct amplitudes){
        .values = field_at(layout, wave->now, medium_cell(medium, 0)),
        .row = layout->stride,
        .layer = layout->layer,
        .lit = lit ? &wave->map_lit : NULL,
    };
}
