/* SPDX-License-Identifier: MIT */
/* The state that a run goes on from. */
#include "run_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* What the next steps and their rows depend on. */
static enum status visit(struct run *run, struct state *state,
                         struct error *error)
{
    if (run->options.ranks) {
        state->shared = &run->state;
        state_shared_begin(&run->state);
    }
    enum status status = simulation_state(run->simulation, state, error);
    state_visit(state, &run->lost, sizeof run->lost);
    state_visit(state, run->target_before, sizeof run->target_before);
    run_arrivals_state(&run->arrivals, state);
    return status;
}

enum status run_state_measure(struct run *run, struct error *error)
{
    struct state state = { .mode = STATE_MEASURE };
    run->state.ranks = run->options.ranks;
    run->state.share = *simulation_share(run->simulation);
    enum status status = visit(run, &state, error);
    run->plan.recording.restart_bytes = state.used;
    return status ? status : state_shared_room(&run->state, error);
}

enum status run_state_save(struct run *run, struct error *error)
{
    struct state state = { .mode = STATE_SAVE, .memory = run->restart };
    return visit(run, &state, error);
}

static enum status load(struct run *run, struct error *error)
{
    struct state state = { .mode = STATE_LOAD, .memory = run->restart };
    return visit(run, &state, error);
}

/* Every rank reads what it holds out of the file. */
enum status run_state_load(struct run *run, struct error *error)
{
    const char *path = run->options.path;
    if (!run->options.ranks)
        return load(run, error);
    run->state.file = open(path, O_RDONLY | O_CLOEXEC);
    if (run->state.file < 0)
        return error_system(error, STATUS_DISK, "%s: cannot be read", path);
    run->state.offset = recorder_state_at(run->recorder);
    enum status status = load(run, error);
    close(run->state.file);
    errno = run->state.failure;
    if (!status && run->state.failure)
        status = error_system(error, STATUS_DISK, "%s: cannot be read", path);
    return status;
}
