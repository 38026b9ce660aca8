/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "base/memory.h"
#include "run_parts.h"

#include <string.h>
#include <time.h>

/* Without record.commit: every 256 MB or 2 s, whichever comes first. */
static const uint64_t commit_bytes = 256000000;
static const double commit_seconds = 2;

double run_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- making it ---- */

static enum status fill(struct run *run, struct error *error)
{
    const struct scenario *scenario = run->scenario;
    enum status status =
        simulation_new_shared(scenario, run->options.threads,
                              run->options.ranks, &run->simulation, error);
    if (!status)
        status = run_plan_init(&run->plan, scenario, run->simulation,
                               run->options.command, error);
    if (!status && run->plan.recording.arrival)
        status =
            run_arrivals_init(&run->arrivals, scenario, run->simulation, error);
    /* It is measured together, so all must have come here. */
    if (ranks_most(run->options.ranks, status))
        return status;
    return run_state_measure(run, error);
}

enum status run_new(const struct scenario *scenario,
                    const struct run_options *options, struct run **run,
                    struct error *error)
{
    struct run *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->scenario = scenario;
    made->options = *options;
    made->committed_step = -1;
    enum status status = fill(made, error);
    if (status)
        run_abandon(made);
    else
        *run = made;
    return status;
}

enum status run_size(const struct run *run, struct run_size *size,
                     struct error *error)
{
    const struct recording_plan *plan = &run->plan.recording;
    *size = (struct run_size){
        .rows = run_plan_rows(&run->plan),
        .disk_free = run_plan_disk_free(run->options.path),
        .emissions = plan->emissions,
        .arrivals = plan->arrivals,
        .captures = plan->captures,
        .plans = plan->plans,
    };
    return recording_plan_bytes(plan, &size->bytes, error);
}

/* ---- a step ---- */

/* The default never waits for a disk that is slower than it asks for. */
static bool default_commit_due(const struct run *run)
{
    uint64_t rows = (uint64_t)(run->rows - run->committed);
    bool due = rows * run->row_bytes >= commit_bytes ||
               run_clock() - run->commit_time >= commit_seconds;
    due = due && recorder_settled(run->recorder);
    ranks_tell(run->options.ranks, &due, sizeof due); /* clocks differ */
    return due;
}

/* Between recorded steps too: the state to go on from is worth keeping where
 * rows are far apart. Not among ranks, who would have to agree at every step.
 */
static bool commit_due(const struct run *run)
{
    int64_t step = simulation_step(run->simulation);
    int64_t commit = run->scenario->record.commit;
    if (run->options.ranks && step % run->scenario->record.every != 0)
        return false;
    return commit ? step - run->committed_step >= commit
                  : default_commit_due(run);
}

/* All that is recorded becomes durable, and where the simulation is whole the
 * state to go on from with it. */
static enum status commit(struct run *run, bool whole, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; run->arrivals.waves && i < run->plan.recording.waves; i++) {
        const int32_t *steps = run_arrivals_steps(&run->arrivals, i);
        if (steps && !status)
            status = recorder_arrival_field(run->recorder, i, steps, error);
    }
    if (!status && whole)
        status = run_state_save(run, error);
    if (!status && run->options.ranks)
        status = recorder_commit_shared(run->recorder, run->rows,
                                        whole ? &run->state : NULL, error);
    else if (!status)
        status = recorder_commit(run->recorder, run->rows,
                                 whole ? run->restart : NULL, error);
    if (!status) {
        run->committed = run->rows;
        run->committed_step = simulation_step(run->simulation);
        run->commit_time = run_clock();
    }
    return status;
}

static bool wants_arrivals(const struct run *run, int wave, int64_t step)
{
    return run->arrivals.waves &&
           run_arrivals_wants(&run->arrivals, wave, step);
}

/* The generation that stands before waves go out again: the last one of those
 * that do. */
static void keep_generation(struct run *run)
{
    int64_t step = simulation_step(run->simulation);
    run_forget_fields(run);
    for (int i = 0; i < run->plan.recording.waves; i++)
        if (wants_arrivals(run, i, step)) {
            run_amplitude(run, i);
            run_arrivals_go_on(&run->arrivals, i, step);
        }
}

static bool goes_out(const struct run *run, int wave)
{
    size_t count;
    const struct emission *emissions =
        simulation_emissions(run->simulation, &count);
    for (size_t i = 0; i < count; i++)
        if (emissions[i].wave == wave)
            return true;
    return false;
}

/* The boxes of this step's events. */
static void take_events(struct run *run)
{
    const struct scenario *scenario = run->scenario;
    int64_t step = simulation_step(run->simulation);
    for (size_t i = 0; run->arrivals.waves && i < scenario->event_count; i++)
        if (scenario->events[i].step == step)
            run_arrivals_update(&run->arrivals, &scenario->events[i].change,
                                step);
}

/* Each wave's generation, with the events of this step in it. */
static void take_generation(struct run *run)
{
    int64_t step = simulation_step(run->simulation);
    for (int i = 0; i < run->plan.recording.waves; i++) {
        if (!goes_out(run, i) && simulation_terrain_changed(run->simulation))
            run_forget_field(run, i);
        if (wants_arrivals(run, i, step))
            run_arrivals_take(&run->arrivals, i, step, run_amplitude(run, i));
    }
}

static void take_emissions(struct run *run)
{
    size_t count;
    const struct emission *emissions =
        simulation_emissions(run->simulation, &count);
    for (size_t i = 0; i < count; i++) {
        int wave = emissions[i].wave;
        run_forget_field(run, wave);
        if (run->arrivals.waves)
            run_arrivals_emitted(&run->arrivals, wave, emissions[i].cell,
                                 simulation_step(run->simulation),
                                 run_amplitude(run, wave));
    }
}

enum status run_look(struct run *run, struct error *error)
{
    double start = run_clock();
    enum status status = simulation_begin(run->simulation, error);
    run->simulated += run_clock() - start;
    if (status)
        return status;
    if (simulation_terrain_changed(run->simulation))
        take_events(run);
    take_generation(run);
    take_emissions(run);
    status = run_record_happenings(run, error);
    if (!status &&
        simulation_step(run->simulation) % run->scenario->record.every == 0)
        status = run_record_row(run, error);
    if (!status && commit_due(run))
        status = commit(run, true, error);
    return status;
}

enum status run_take_room(struct run *run, struct error *error)
{
    enum status status = run_fields_new(run, error);
    if (status || run->options.ranks)
        return status;
    run->restart = memory_new(1, run->plan.recording.restart_bytes);
    return run->restart ? STATUS_OK : error_memory(error);
}

bool run_is_under_way(const struct run *run)
{
    return run->under_way;
}

enum status run_step(struct run *run, bool *ended, struct error *error)
{
    *ended = simulation_ended(run->simulation);
    if (*ended)
        return STATUS_OK;
    const struct target *target =
        pursuit_target(simulation_pursuit(run->simulation));
    memcpy(run->target_before, target->at, sizeof run->target_before);
    double start = run_clock();
    enum status status = simulation_advance(run->simulation, error);
    if (status)
        return status;
    run->simulated += run_clock() - start;
    run->simulated_steps++;
    keep_generation(run);
    status = run_look(run, error);
    *ended = simulation_ended(run->simulation);
    return status;
}

int64_t run_lost_arrivals(const struct run *run)
{
    return run->lost;
}

int64_t run_steps_done(const struct run *run)
{
    return simulation_step(run->simulation);
}

uint64_t run_bytes_written(const struct run *run)
{
    return (uint64_t)run->rows * run->row_bytes;
}

enum status run_close(struct run *run, enum run_state state, char *note,
                      struct error *error)
{
    enum status status = STATUS_OK;
    int64_t step = simulation_step(run->simulation);
    bool odd_end = state != RUN_DIVERGED &&
                   run->rows < recording_plan_rows(&run->plan.recording, step);
    if (odd_end)
        status = run_record_row(run, error);
    if (!status && (odd_end || run->committed_step < step))
        status = commit(run, state != RUN_DIVERGED, error);
    if (!status) {
        if (run->simulated_steps)
            recorder_step_time(
                run->recorder,
                (int64_t)(1e9 * run->simulated / (double)run->simulated_steps));
        status = recorder_close(run->recorder, state, note, error);
        run->recorder = NULL;
    }
    run_abandon(run);
    return status;
}

void run_abandon(struct run *run)
{
    if (!run)
        return;
    if (run->recorder)
        recorder_abandon(run->recorder);
    run_fields_release(run);
    run_arrivals_release(&run->arrivals);
    state_shared_release(&run->state);
    memory_release(run->restart);
    run_plan_release(&run->plan);
    simulation_release(run->simulation);
    memory_release(run);
}
