/* SPDX-License-Identifier: MIT */
#include "wave/laplace_tiles.h"

#include "base/memory.h"
#include "wave/laplace_front.h"
#include "wave/medium.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How far V must stand over A before the cell is closed: Σ e^(−pj)|z| of all
 * that is to come is at most A/(1 − e^(−p)), for |z| stays about A. */
#define CEILING 0x1p16

/* How far a sum must stand over the smallest number at the age when z was
 * first told from 0: what was flushed before is then about a thousandth of it.
 */
#define HEADROOM 0x1p9

bool laplace_is_spoilt(const struct laplace *laplace, size_t cell)
{
    if (laplace->options.front)
        return laplace_front_is_spoilt(laplace->options.front, laplace, cell);
    struct laplace_cell at = laplace_cell(laplace, cell);
    uint64_t late = at.first >= 0 ? (uint64_t)(at.age - at.first) : UINT64_MAX;
    if (late > laplace->late_most)
        late = laplace->late_most;
    if (!(at.sum > 0))
        return true;
    return laplace_bits(laplace, at.sum) <
           laplace->floor + (uint32_t)late * laplace->floor_rate;
}

/* V may yet be multiplied twice. */
static double ceiling_for(const struct laplace *laplace)
{
    const struct laplace_options *options = &laplace->options;
    double most = options->width == sizeof(float) ? FLT_MAX : DBL_MAX;
    double ceiling = options->amplitude / -expm1(-options->p) *
                     fmax(CEILING, 2 / options->eta);
    return fmin(ceiling, most / (4 * laplace->growth * laplace->growth));
}

/* log2 of V above the smallest number, as its bits have it, is to be
 * log2(HEADROOM) and what e^p is worth in each age since the first contact.
 * The product keeps within 32 bits: where it would not, it is over any V. */
static void choose_floor(struct laplace *laplace)
{
    bool single = laplace->options.width == sizeof(float);
    double one = ldexp(1, single ? FLT_MANT_DIG - 1 : DBL_MANT_DIG - 33);
    laplace->floor = (uint32_t)(one * (1 + log2(HEADROOM)));
    laplace->floor_rate =
        (uint32_t)fmin(rint(one * laplace->decay / log(2)), 0x1p30);
    laplace->late_most = LAPLACE_OLDEST;
    if (laplace->floor_rate > (UINT32_MAX - laplace->floor) / LAPLACE_OLDEST)
        laplace->late_most =
            (UINT32_MAX - laplace->floor) / laplace->floor_rate;
}

static void choose_numbers(struct laplace *laplace)
{
    laplace->growth = exp(laplace->options.p);
    if (laplace->options.width == sizeof(float))
        laplace->growth = (double)(float)laplace->growth;
    laplace->decay = log(laplace->growth);
    laplace->ceiling = ceiling_for(laplace);
    choose_floor(laplace);
    laplace_set_level(laplace, kernel_best());
}

enum status laplace_init(struct laplace *laplace, const struct terrain *terrain,
                         const struct laplace_options *options,
                         struct error *error)
{
    size_t cells = grid_cells(&terrain->grid), items;
    *laplace =
        (struct laplace){ .terrain = terrain, .options = *options, .age = -1 };
    enum status status =
        layout_make(&terrain->grid, options->width, &laplace->layout, error);
    if (status)
        return status;
    items = laplace->layout.items;
    laplace->sum = memory_new(items, options->width);
    if (!options->front)
        laplace->packed = memory_new(items, options->width);
    laplace->first = memory_new(items, sizeof *laplace->first);
    laplace->closed = memory_new(items, sizeof *laplace->closed);
    laplace->arrived = memory_new(items, sizeof *laplace->arrived);
    if (options->steps)
        laplace->step = memory_new(cells, sizeof *laplace->step);
    if (!laplace->sum || (!options->front && !laplace->packed) ||
        !laplace->first || !laplace->closed || !laplace->arrived ||
        (options->steps && !laplace->step) || !laplace_tile_up(laplace)) {
        laplace_release(laplace);
        return error_memory(error);
    }
    choose_numbers(laplace);
    for (size_t i = 0; i < laplace->tiles; i++) {
        laplace_clear_tile(laplace, &laplace->tile[i]);
        laplace_list(laplace, &laplace->tile[i]);
    }
    return STATUS_OK;
}

void laplace_release(struct laplace *laplace)
{
    memory_release(laplace->sum);
    memory_release(laplace->packed);
    memory_release(laplace->first);
    memory_release(laplace->closed);
    memory_release(laplace->arrived);
    memory_release(laplace->step);
    memory_release(laplace->tile);
    memory_release(laplace->lists);
    *laplace = (struct laplace){ .age = -1 };
}

void laplace_begin(struct laplace *laplace, size_t source)
{
    laplace->age = -1;
    laplace->owed = NULL;
    laplace->has_centre = false;
    for (size_t i = 0; i < laplace->tiles; i++)
        if (laplace->tile[i].touched)
            laplace_clear_tile(laplace, &laplace->tile[i]);
    if (!laplace->step || source == GRID_NOWHERE ||
        laplace->terrain->wall[source]) /* nothing goes out from there */
        return;
    laplace->arrived[layout_cell(&laplace->layout, source)] = 1;
    laplace->step[source] = 0;
    laplace_tile_of(laplace, source)->touched = true;
}

struct laplace_cell laplace_cell(const struct laplace *laplace, size_t cell)
{
    return laplace_at(laplace, layout_cell(&laplace->layout, cell));
}

/* V of an open cell with the generation that is owed, as the run's threads
 * would have summed it. */
static double sum_with_owed(const struct laplace *laplace, ptrdiff_t i)
{
    const struct laplace_front *front = laplace->options.front;
    const bool single = laplace->options.width == sizeof(float);
    double sum = laplace_number(laplace, laplace->sum, i);
    double z = laplace_number(laplace, laplace->owed, i);
    sum = single ? (double)((float)sum * (float)laplace->growth + (float)z)
                 : sum * laplace->growth + z;
    if (front && front->medium->settings.flush_denormals &&
        fabs(sum) < (single ? (double)FLT_MIN : DBL_MIN))
        return 0;
    return sum;
}

struct laplace_cell laplace_at(const struct laplace *laplace, ptrdiff_t i)
{
    double sum = laplace_number(laplace, laplace->sum, i);
    int64_t first = laplace->first[i] - 1, closed = laplace->closed[i];
    const struct laplace_front *front = laplace->options.front;
    if (closed != 0 && closed != LAPLACE_NEVER)
        return (struct laplace_cell){ sum, closed - 1, first,
                                      front ? front->scale_of[closed - 1] : 0 };
    if (laplace->owed && closed == 0) {
        sum = sum_with_owed(laplace, i);
        if (first < 0 && sum != 0)
            first = laplace->age; /* even, as all that is owed */
    }
    return (struct laplace_cell){ sum, laplace->age, first, laplace->scale };
}

static void forget(struct laplace *laplace, size_t cell)
{
    ptrdiff_t i = layout_cell(&laplace->layout, cell);
    field_set(&laplace->layout, laplace->sum, i, 0);
    laplace->first[i] = laplace->arrived[i] = 0;
    laplace->closed[i] = LAPLACE_NEVER;
    if (laplace->step)
        laplace->step[cell] = -1;
}

static void open_up(struct laplace *laplace, size_t cell)
{
    ptrdiff_t i = layout_cell(&laplace->layout, cell);
    if (laplace->closed[i] == LAPLACE_NEVER)
        laplace->closed[i] = 0;
}

void laplace_update(struct laplace *laplace, const struct box *box)
{
    const struct grid *grid = &laplace->terrain->grid;
    laplace_catch_up(laplace, NULL);
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(grid, x, y, z);
                if (laplace->terrain->wall[cell])
                    forget(laplace, cell);
                else
                    open_up(laplace, cell);
            }
    for (size_t i = 0; i < laplace->tiles; i++) {
        struct box shared;
        if (box_meet(&laplace->tile[i].box, box, &shared))
            laplace_list(laplace, &laplace->tile[i]);
    }
}

static void visit_field(const struct laplace *laplace, void *cells, size_t item,
                        struct state *state)
{
    const struct layout *layout = &laplace->layout;
    bool whole = !state->shared || state->shared->alone;
    struct state_field field = {
        .cells = (char *)cells + layout->origin * (ptrdiff_t)item,
        .item = item,
        .row = layout->stride,
        .layer = layout->layer,
        .box = whole ? grid_box(&layout->grid) : state->shared->cover,
    };
    state_visit_field(state, &field);
}

/* Ages told plus 1; no later one than the newest, or LAPLACE_NEVER. */
static void hold_ages(const struct laplace *laplace, uint16_t *ages,
                      struct state *state)
{
    const struct layout *layout = &laplace->layout;
    size_t cells = grid_cells(&layout->grid);
    if (state->mode != STATE_LOAD)
        return;
    for (size_t cell = 0; cell < cells; cell++) {
        uint16_t *age = &ages[layout_cell(layout, cell)];
        if (!state_holds(state,
                         *age <= laplace->age + 1 || *age == LAPLACE_NEVER))
            *age = 0;
    }
}

void laplace_state(struct laplace *laplace, struct state *state)
{
    if (state->mode == STATE_LOAD) {
        laplace->owed = NULL;
        laplace->has_centre = false;
    } else {
        laplace_catch_up(laplace, NULL);
    }
    const int64_t oldest = laplace_oldest(&laplace->options);
    state_visit_whole(state, &laplace->age, 1, -1,
                      state->step < oldest ? state->step : oldest);
    visit_field(laplace, laplace->sum, laplace->options.width, state);
    visit_field(laplace, laplace->closed, sizeof *laplace->closed, state);
    visit_field(laplace, laplace->first, sizeof *laplace->first, state);
    hold_ages(laplace, laplace->closed, state);
    hold_ages(laplace, laplace->first, state);
    if (laplace->step) {
        visit_field(laplace, laplace->arrived, sizeof *laplace->arrived, state);
        hold_ages(laplace, laplace->arrived, state);
    }
    for (size_t i = 0; state->mode == STATE_LOAD && i < laplace->tiles; i++) {
        laplace->tile[i].touched = true;
        laplace_list(laplace, &laplace->tile[i]);
        laplace_tell_steps(laplace, &laplace->tile[i]);
    }
}
