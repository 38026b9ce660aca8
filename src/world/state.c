/* SPDX-License-Identifier: MIT */
#include "world/state.h"

#include "base/disk.h"
#include "base/memory.h"

#include <errno.h>
#include <string.h>

static bool is_first(const struct state_shared *shared)
{
    return ranks_self(shared->ranks) == 0;
}

/* ---- a rank's part ---- */

static void add_plain(const struct state *state, const void *data, size_t bytes)
{
    struct state_shared *shared = state->shared;
    bool goes_on = shared->count && shared->plain_end == state->used;
    if (!goes_on && shared->pieces)
        shared->pieces[shared->count] =
            (struct state_piece){ .at = state->used,
                                  .data = shared->plain + shared->plain_bytes };
    shared->count += !goes_on;
    if (shared->pieces) {
        memcpy(shared->plain + shared->plain_bytes, data, bytes);
        shared->pieces[shared->count - 1].bytes += bytes;
    }
    shared->plain_bytes += bytes;
    shared->plain_end = state->used + bytes;
}

static void add_field(const struct state *state,
                      const struct state_field *field)
{
    struct state_shared *shared = state->shared;
    if (shared->pieces)
        shared->pieces[shared->count] =
            (struct state_piece){ .at = state->used, .field = *field };
    shared->count++;
}

static void read_at(struct state_shared *shared, void *data, size_t bytes,
                    uint64_t at)
{
    if (!shared->failure &&
        !disk_read(shared->file, data, bytes, shared->offset + at))
        shared->failure = errno;
}

static void visit_shared(struct state *state, void *data, size_t bytes)
{
    if (state->mode == STATE_LOAD)
        read_at(state->shared, data, bytes, state->used);
    else if (is_first(state->shared) && bytes)
        add_plain(state, data, bytes);
}

void state_visit(struct state *state, void *data, size_t bytes)
{
    if (state->shared && state->shared->alone && !is_first(state->shared))
        return;
    if (state->shared)
        visit_shared(state, data, bytes);
    else if (state->mode == STATE_SAVE)
        memcpy(state->memory + state->used, data, bytes);
    else if (state->mode == STATE_LOAD)
        memcpy(data, state->memory + state->used, bytes);
    state->used += bytes;
}

/* ---- fields ---- */

static char *row_of(const struct state_field *field, int y, int z)
{
    ptrdiff_t at = z * field->layer + y * field->row;
    return (char *)field->cells + at * (ptrdiff_t)field->item;
}

/* Row by row, by a process that has the whole field. */
static void visit_whole(struct state *state, const struct state_field *field)
{
    size_t bytes = box_width(&field->box, 0) * field->item;
    for (int z = 0; z < (int)box_width(&field->box, 2); z++)
        for (int y = 0; y < (int)box_width(&field->box, 1); y++)
            state_visit(state, row_of(field, y, z), bytes);
}

/* Reads the box's part of a field of the whole world. */
static void read_box(struct state *state, const struct state_field *field)
{
    const struct grid *world = &state->shared->share.world;
    const struct box *box = &field->box;
    size_t bytes = box_width(box, 0) * field->item;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            read_at(state->shared,
                    row_of(field, y - box->low[1], z - box->low[2]), bytes,
                    state->used +
                        grid_index(world, box->low[0], y, z) * field->item);
}

void state_visit_field(struct state *state, const struct state_field *field)
{
    if (!state->shared || state->shared->alone) {
        visit_whole(state, field);
        return;
    }
    if (state->mode == STATE_LOAD)
        read_box(state, field);
    else
        add_field(state, field);
    state->used += grid_cells(&state->shared->share.world) * field->item;
}

void state_cover(struct state *state, const struct box *box)
{
    if (state->shared)
        state->shared->cover = *box;
}

void state_visit_cells(struct state *state, void *cells, size_t item,
                       const struct grid *grid)
{
    bool whole = !state->shared || state->shared->alone;
    struct state_field field = {
        .cells = cells,
        .item = item,
        .row = grid->nx,
        .layer = (ptrdiff_t)grid->nx * grid->ny,
        .box = whole ? grid_box(grid) : state->shared->cover,
    };
    if (whole) /* already packed */
        state_visit(state, cells, grid_cells(grid) * item);
    else
        state_visit_field(state, &field);
}

void state_first_begin(struct state *state)
{
    if (state->shared)
        state->shared->alone = true;
}

void state_first_end(struct state *state)
{
    if (!state->shared)
        return;
    state->shared->alone = false;
    ranks_broadcast(state->shared->ranks, &state->used, sizeof state->used);
}

/* ---- checks against values that a run can have saved ---- */

bool state_holds(struct state *state, bool holds)
{
    if (state->mode != STATE_LOAD)
        return true;
    state->strange |= !holds;
    return holds;
}

/* A bool with the value 2 must not be read as a bool. */
void state_visit_bool(struct state *state, bool *value)
{
    uint8_t byte = *value;
    state_visit(state, &byte, sizeof byte);
    if (state->mode == STATE_LOAD)
        *value = state_holds(state, byte <= 1) && byte == 1;
}

void state_visit_whole(struct state *state, int64_t *values, size_t count,
                       int64_t low, int64_t high)
{
    state_visit(state, values, count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        if (!state_holds(state, values[i] >= low && values[i] <= high))
            values[i] = low;
}

void state_visit_steps(struct state *state, int64_t *values, size_t count)
{
    state_visit_whole(state, values, count, -1, state->step);
}

void state_hold_cells(struct state *state, int32_t *cells, size_t count,
                      int64_t low, int64_t high)
{
    if (state->mode != STATE_LOAD)
        return;
    for (size_t i = 0; i < count; i++)
        if (!state_holds(state, cells[i] >= low && cells[i] <= high))
            cells[i] = (int32_t)low;
}

void state_visit_index(struct state *state, int32_t *values, size_t count,
                       int32_t low, int32_t high)
{
    state_visit(state, values, count * sizeof *values);
    state_hold_cells(state, values, count, low, high);
}

void state_visit_kinds(struct state *state, void *bytes, size_t count,
                       uint8_t high)
{
    uint8_t *kinds = bytes;
    state_visit(state, bytes, count);
    for (size_t i = 0; i < count; i++)
        if (!state_holds(state, kinds[i] <= high))
            kinds[i] = 0;
}

/* Every comparison with NaN is false. */
void state_visit_reals(struct state *state, double *values, size_t count,
                       double low, double high)
{
    state_visit(state, values, count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        if (!state_holds(state, values[i] >= low && values[i] <= high))
            values[i] = low;
}

/* A path to the centre of a cell may end a rounding error away from it. */
void state_visit_place(struct state *state, double *values, size_t count,
                       int extent)
{
    const double beside = 1e-6;
    state_visit_reals(state, values, count, -beside, extent - 1 + beside);
}

/* A random stream of zeros returns only zeros; no run can have one. */
void state_visit_random(struct state *state, struct random *random)
{
    uint64_t any = 0;
    state_visit(state, random->state, sizeof random->state);
    for (size_t i = 0; i < sizeof random->state / sizeof any; i++)
        any |= random->state[i];
    if (!state_holds(state, any != 0))
        random_seed(random, 0);
}

/* ---- its owner ---- */

void state_shared_begin(struct state_shared *shared)
{
    shared->count = shared->plain_bytes = 0;
    shared->failure = 0;
}

enum status state_shared_room(struct state_shared *shared, struct error *error)
{
    shared->plain = memory_new(shared->plain_bytes, 1);
    shared->pieces = memory_new(shared->count, sizeof *shared->pieces);
    return shared->plain && shared->pieces ? STATUS_OK : error_memory(error);
}

void state_shared_release(struct state_shared *shared)
{
    memory_release(shared->plain);
    memory_release(shared->pieces);
    shared->plain = NULL;
    shared->pieces = NULL;
}
