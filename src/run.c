/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "base/memory.h"
#include "recording/recorder.h"
#include "run_plan.h"
#include "simulate.h"

#include <string.h>
#include <time.h>

/* Without record.commit: every 256 MB or 2 s, whichever comes first. */
static const uint64_t commit_bytes = 256000000;
static const double commit_seconds = 2;

struct run {
    const struct scenario *scenario;
    struct run_plan plan;
    struct simulation *simulation;
    struct recorder *recorder;
    /* What a row is made of: packed fields of every wave. */
    void **amplitude, **gradient[GRID_AXES];
    void *restart;  /* the simulation's state at a commit */
    size_t version; /* of the map: the last one written */
    int64_t rows, committed;
    int64_t lost; /* arrivals that were lost to underflow */
    uint64_t row_bytes;
    double commit_time;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

enum status run_size(const struct scenario *scenario, const char *path,
                     struct run_size *size, struct error *error)
{
    struct simulation *simulation = NULL;
    struct run_plan plan = { 0 };
    enum status status = simulation_new(scenario, 1, &simulation, error);
    if (!status)
        status = run_plan_init(&plan, scenario, simulation, NULL, error);
    if (!status)
        status = recording_plan_bytes(&plan.recording, &size->bytes, error);
    if (!status) {
        size->rows = run_plan_rows(&plan);
        size->disk_free = run_plan_disk_free(path);
        size->emissions = plan.recording.emissions;
        size->arrivals = plan.recording.arrivals;
        size->captures = plan.recording.captures;
        size->plans = plan.recording.plans;
    }
    run_plan_release(&plan);
    simulation_release(simulation);
    return status;
}

/* Memory for one packed field of each wave. */
static bool fields_new(const struct run *run, void ***fields)
{
    size_t waves = (size_t)run->plan.recording.waves;
    *fields = memory_new(waves, sizeof **fields);
    bool good = *fields != NULL;
    for (size_t i = 0; good && i < waves; i++) {
        (*fields)[i] = memory_new(1, simulation_field_bytes(run->simulation));
        good = (*fields)[i] != NULL;
    }
    return good;
}

static void fields_release(const struct run *run, void **fields)
{
    for (int i = 0; fields && i < run->plan.recording.waves; i++)
        memory_release(fields[i]);
    memory_release(fields);
}

static enum status buffers_new(struct run *run, struct error *error)
{
    const struct recording_plan *plan = &run->plan.recording;
    bool good = true;
    if (plan->amplitude)
        good = fields_new(run, &run->amplitude);
    for (int axis = 0; plan->gradient && axis < plan->grid.dims; axis++)
        good = good && fields_new(run, &run->gradient[axis]);
    run->restart = memory_new(1, plan->restart_bytes);
    return good && run->restart ? STATUS_OK : error_memory(error);
}

static enum status fill(struct run *run, const struct run_options *options,
                        struct error *error)
{
    const struct scenario *scenario = run->scenario;
    enum status status =
        simulation_new(scenario, options->threads, &run->simulation, error);
    if (!status)
        status = run_plan_init(&run->plan, scenario, run->simulation,
                               options->command, error);
    if (!status)
        status = buffers_new(run, error);
    if (!status)
        status = recorder_create(options->path, &run->plan.recording,
                                 options->force, &run->recorder, error);
    if (status)
        return status;
    uint64_t bytes;
    status = recording_plan_bytes(&run->plan.recording, &bytes, error);
    run->row_bytes = bytes / (uint64_t)run_plan_rows(&run->plan);
    run->commit_time = now();
    if (!status)
        status = simulation_begin(run->simulation, error);
    if (!status)
        status = recorder_terrain(run->recorder, 0,
                                  simulation_terrain(run->simulation), error);
    return status;
}

enum status run_new(const struct scenario *scenario,
                    const struct run_options *options, struct run **run,
                    struct error *error)
{
    struct run *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->scenario = scenario;
    enum status status = fill(made, options, error);
    if (status)
        run_abandon(made);
    else
        *run = made;
    return status;
}

static enum status record_fields(struct run *run, struct error *error)
{
    const struct recording_plan *plan = &run->plan.recording;
    for (int i = 0; i < plan->waves; i++) {
        if (plan->amplitude)
            simulation_amplitude(run->simulation, i, run->amplitude[i]);
        if (plan->gradient)
            simulation_gradient(
                run->simulation, i, run->gradient[0][i], run->gradient[1][i],
                plan->grid.dims == 3 ? run->gradient[2][i] : NULL);
    }
    const struct pursuit *pursuit = simulation_pursuit(run->simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    const struct target *target = pursuit_target(pursuit);
    struct recording_fields fields = {
        .amplitude = (const void *const *)run->amplitude,
        .agent_state = agents->state,
    };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        fields.gradient[axis] = (const void *const *)run->gradient[axis];
        fields.agent_at[axis] = agents->at[axis];
        fields.agent_heading[axis] = agents->heading[axis];
        fields.target_at[axis] = target->at[axis];
        fields.target_heading[axis] = target->heading[axis];
    }
    return recorder_row(run->recorder, run->rows, &fields, error);
}

/* Arrivals and captures of the step that led here. */
static enum status record_pursuit(struct run *run, int64_t step,
                                  struct error *error)
{
    const struct pursuit *pursuit = simulation_pursuit(run->simulation);
    const struct agent_arrivals *arrivals = pursuit_arrivals(pursuit);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < arrivals->count && !status; i++) {
        const struct agent_arrival *from = &arrivals->items[i];
        struct recorded_arrival arrival = { .agent = from->agent,
                                            .wave = from->wave,
                                            .step = from->step,
                                            .amplitude = from->amplitude };
        memcpy(arrival.gradient, from->gradient, sizeof arrival.gradient);
        memcpy(arrival.heading, from->heading, sizeof arrival.heading);
        run->lost += from->lost;
        status = recorder_arrival(run->recorder, &arrival, error);
    }
    size_t count;
    const int *captures = pursuit_captures(pursuit, &count);
    for (size_t i = 0; i < count && !status; i++)
        status = recorder_capture(run->recorder, captures[i], 0, step, error);
    return status;
}

static enum status record_plans(struct run *run, struct error *error)
{
    struct agent_plan plan;
    enum status status = STATUS_OK;
    while (!status && simulation_plan(run->simulation, &plan)) {
        struct recorded_plan recorded = {
            .agent = plan.agent,
            .step = plan.step,
            .expansions = plan.expansions,
            .nanoseconds = plan.nanoseconds,
            .path = plan.path,
            .path_cells = plan.path_cells,
        };
        status = recorder_plan(run->recorder, &recorded, error);
    }
    return status;
}

/* What happened at this step goes into the tables. */
static enum status record_happenings(struct run *run, struct error *error)
{
    size_t count;
    const struct emission *emissions =
        simulation_emissions(run->simulation, &count);
    int64_t step = simulation_step(run->simulation);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = recorder_emission(run->recorder, emissions[i].wave, step,
                                   emissions[i].cell, error);
    if (!status && step > 0 && simulation_terrain_changed(run->simulation))
        status = recorder_terrain(run->recorder, ++run->version,
                                  simulation_terrain(run->simulation), error);
    if (!status)
        status = record_pursuit(run, step, error);
    return status ? status : record_plans(run, error);
}

static bool commit_due(const struct run *run)
{
    int64_t rows = run->rows - run->committed;
    int64_t every = run->scenario->record.every;
    int64_t commit = run->scenario->record.commit;
    if (commit)
        return rows * every >= commit;
    return (uint64_t)rows * run->row_bytes >= commit_bytes ||
           now() - run->commit_time >= commit_seconds;
}

static enum status commit(struct run *run, struct error *error)
{
    simulation_save(run->simulation, run->restart);
    enum status status =
        recorder_commit(run->recorder, run->rows, run->restart, error);
    if (!status) {
        run->committed = run->rows;
        run->commit_time = now();
    }
    return status;
}

enum status run_step(struct run *run, bool *ended, struct error *error)
{
    int64_t step = simulation_step(run->simulation);
    enum status status = record_happenings(run, error);
    if (!status && step % run->scenario->record.every == 0) {
        status = record_fields(run, error);
        if (!status) {
            run->rows++;
            if (commit_due(run))
                status = commit(run, error);
        }
    }
    *ended = simulation_ended(run->simulation);
    if (status || *ended)
        return status;
    status = simulation_advance(run->simulation, error);
    return status ? status : simulation_begin(run->simulation, error);
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
    if (run->committed < run->rows)
        status = commit(run, error);
    if (!status) {
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
    fields_release(run, run->amplitude);
    for (int axis = 0; axis < GRID_AXES; axis++)
        fields_release(run, run->gradient[axis]);
    memory_release(run->restart);
    run_plan_release(&run->plan);
    simulation_release(run->simulation);
    memory_release(run);
}
