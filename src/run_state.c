/* SPDX-License-Identifier: MIT */
/* The state that a run goes on from. */
#include "run_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Of anything that is counted, in the longest run. */
#define LOST_MOST (INT64_C(1) << 60)

/* What the next steps and their rows depend on. */
static enum status visit(struct run *run, struct state *state,
                         struct error *error)
{
    const struct grid *grid = &run->scenario->terrain.grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    if (run->options.ranks) {
        state->shared = &run->state;
        state_shared_begin(&run->state);
    }
    enum status status = simulation_state(run->simulation, state, error);
    state_visit_whole(state, &run->lost, 1, 0, LOST_MOST);
    for (int axis = 0; axis < GRID_AXES; axis++)
        state_visit_place(state, &run->target_before[axis], 1, extent[axis]);
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

/* Rows, step and versions must go together, whoever wrote the state. */
static enum status check(const struct run *run, const struct state *state,
                         struct error *error)
{
    int64_t step = simulation_step(run->simulation);
    const char *path = run->options.path;
    if (ranks_most(run->options.ranks, state->strange))
        return error_at(error, STATUS_INPUT, path, 0,
                        "cannot be gone on with: the state of its last commit "
                        "is none that this scenario makes; record it again");
    if (step > run->scenario->steps ||
        step / run->scenario->record.every + 1 != run->rows)
        return error_at(error, STATUS_INPUT, path, 0,
                        "cannot be gone on with: its state is of step %lld, "
                        "its rows are %lld; record it again",
                        (long long)step, (long long)run->rows);
    return STATUS_OK;
}

static enum status load(struct run *run, struct error *error)
{
    struct state state = { .mode = STATE_LOAD, .memory = run->restart };
    enum status status = visit(run, &state, error);
    errno = run->state.failure;
    if (!status && run->options.ranks && errno)
        status = error_system(error, STATUS_DISK, "%s: cannot be read",
                              run->options.path);
    if (ranks_most(run->options.ranks, status))
        return status ? status : STATUS_FAILED;
    return check(run, &state, error);
}

/* Every rank reads what it holds out of the file. */
enum status run_state_load(struct run *run, uint64_t at, struct error *error)
{
    const char *path = run->options.path;
    enum status status = STATUS_OK;
    if (!run->options.ranks)
        return load(run, error);
    run->state.offset = at;
    run->state.file = open(path, O_RDONLY | O_CLOEXEC);
    if (run->state.file < 0)
        status = error_system(error, STATUS_DISK, "%s: cannot be read", path);
    if (ranks_most(run->options.ranks, status))
        status = status ? status : STATUS_FAILED;
    else
        status = load(run, error);
    if (run->state.file >= 0)
        close(run->state.file);
    return status;
}
