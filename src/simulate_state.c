/* SPDX-License-Identifier: MIT */
/* What the next steps depend on, out and back. */
#include "simulate_parts.h"

#include "base/state.h"

static void wave_state(struct simulation *simulation, int index,
                       struct state *state)
{
    struct wave *wave = simulation->waves[index];
    size_t field = simulation_field_bytes(simulation);
    struct {
        int64_t emitted, source;
    } origin = { 0 };
    char *newest = state->mode == STATE_MEASURE
                       ? NULL
                       : state->memory + state->used + sizeof origin;
    if (state->mode == STATE_SAVE)
        wave_save(wave, newest, newest + field, &origin.emitted,
                  &origin.source);
    state_visit(state, &origin, sizeof origin);
    if (state->mode == STATE_LOAD)
        wave_load(wave, newest, newest + field, origin.emitted, origin.source,
                  simulation->step);
    state->used += 2 * field;
}

/* The terrain is not in the state: on loading, the events up to the step give
 * it again. */
static enum status visit(struct simulation *simulation, struct state *state,
                         struct error *error)
{
    enum status status = STATUS_OK;
    bool changed;
    state_visit(state, &simulation->step, sizeof simulation->step);
    if (state->mode == STATE_LOAD)
        status = simulation_apply_events(simulation, &changed, error);
    pursuit_state(simulation->pursuit, state);
    for (int i = 0; i < wave_count(simulation); i++)
        wave_state(simulation, i, state);
    return status;
}

size_t simulation_state_bytes(struct simulation *simulation)
{
    struct state state = { .mode = STATE_MEASURE };
    visit(simulation, &state, NULL);
    return state.used;
}

void simulation_save(struct simulation *simulation, void *memory)
{
    visit(simulation, &(struct state){ .mode = STATE_SAVE, .memory = memory },
          NULL);
}

enum status simulation_load(struct simulation *simulation, const void *memory,
                            struct error *error)
{
    struct state state = { .mode = STATE_LOAD, .memory = (char *)memory };
    return visit(simulation, &state, error);
}
