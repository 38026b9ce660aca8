/* SPDX-License-Identifier: MIT */
/* What the next steps depend on, out and back. */
#include "simulate_parts.h"

/* Of any scenario; whether it is one of this, the owner of the state asks. */
#define STEP_MOST INT64_C(1000000000000)

/* The terrain is not in the state: on loading, the events up to the step give
 * it again. */
enum status simulation_state(struct simulation *simulation, struct state *state,
                             struct error *error)
{
    enum status status = STATUS_OK;
    bool changed;
    if (state->mode == STATE_SAVE)
        status = pursuit_state_ready(simulation->pursuit, error);
    state_visit_whole(state, &simulation->step, 1, 0, STEP_MOST);
    state->step = simulation->step;
    if (state->mode == STATE_LOAD)
        status = simulation_apply_events(simulation, &changed, error);
    pursuit_state(simulation->pursuit, state);
    for (int i = 0; i < wave_count(simulation); i++)
        wave_state(simulation->waves[i], simulation->step, state);
    return status;
}

size_t simulation_state_bytes(struct simulation *simulation)
{
    struct state state = { .mode = STATE_MEASURE };
    simulation_state(simulation, &state, NULL);
    return state.used;
}

void simulation_save(struct simulation *simulation, void *memory)
{
    simulation_state(simulation,
                     &(struct state){ .mode = STATE_SAVE, .memory = memory },
                     NULL);
}

enum status simulation_load(struct simulation *simulation, const void *memory,
                            struct error *error)
{
    struct state state = { .mode = STATE_LOAD, .memory = (char *)memory };
    enum status status = simulation_state(simulation, &state, error);
    if (!status && state.strange)
        return error_set(error, STATUS_INPUT,
                         "the state is none that this scenario makes");
    return status;
}
