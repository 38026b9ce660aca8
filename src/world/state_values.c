/* SPDX-License-Identifier: MIT */
/* Values of a state that are held to what a run can have saved. */
#include "world/state.h"

bool state_holds(struct state *state, bool holds)
{
    if (state->mode != STATE_LOAD)
        return true;
    state->strange |= !holds;
    return holds;
}

/* A bool that holds 2 must not be read as one. */
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

/* No comparison holds of what is no number. */
void state_visit_reals(struct state *state, double *values, size_t count,
                       double low, double high)
{
    state_visit(state, values, count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        if (!state_holds(state, values[i] >= low && values[i] <= high))
            values[i] = low;
}

/* A way to a cell's centre may end a rounding beside it. */
void state_visit_place(struct state *state, double *values, size_t count,
                       int extent)
{
    const double beside = 1e-6;
    state_visit_reals(state, values, count, -beside, extent - 1 + beside);
}

/* A stream of zeros draws nothing else for ever, and none comes to that. */
void state_visit_random(struct state *state, struct random *random)
{
    uint64_t any = 0;
    state_visit(state, random->state, sizeof random->state);
    for (size_t i = 0; i < sizeof random->state / sizeof any; i++)
        any |= random->state[i];
    if (!state_holds(state, any != 0))
        random_seed(random, 0);
}
