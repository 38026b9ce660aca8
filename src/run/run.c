/* SPDX-License-Identifier: MIT */
/* A run: the state from which it is resumed, the data that it records of each
 * generation, its steps and commits, its start (a new recording, or a resumed
 * one; by one process, or by ranks together) and its end. */
#include "run/run.h"

#include "base/memory.h"
#include "recording/write/recorder.h"
#include "run/arrivals.h"
#include "run/plan.h"
#include "run/simulate.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Without record.commit: a commit every 256 MB or 2 s, whichever comes first.
 * But saving the state of a very large map takes seconds, so the time between
 * commits is also at least so many times the time for which the last commit
 * stopped the run. */
static const uint64_t commit_bytes = 256000000;
static const double commit_seconds = 2, commit_pauses = 20;

enum { SETS_BYTES = 2 << 20, SETS_MOST = 32, SETS_OF_KEYFRAMES = 3 };

/* Larger than any counter of the longest run. */
#define LOST_MOST (INT64_C(1) << 60)

/* The fields of a frame: packed fields of every wave. */
struct run_fields {
    void **amplitude, **gradient[GRID_AXES];
    bool *packed; /* (waves): amplitude is of the current generation */
    /* (waves): for frames of which only the checksum is stored */
    struct recording_lying *lying;
};

struct run {
    const struct scenario *scenario;
    struct run_options options;
    struct run_plan plan;
    struct simulation *simulation;
    struct recorder *recorder;
    bool under_way;               /* for ranks: all of them work together now */
    struct run_arrivals arrivals; /* if record.fields contains them */
    /* The recorder writes from the other sets while the next frame is put into
     * one. */
    struct run_fields *fields;
    size_t field_sets, turn;         /* turn: the set to fill */
    void *restart;                   /* the run's state at a commit */
    struct state_shared state;       /* the same if ranks share the run */
    double target_before[GRID_AXES]; /* the target's position one step before */
    /* the last version of the map that was written */
    size_t version;
    int64_t rows, committed;
    int64_t committed_step; /* −1: there was no commit */
    int64_t lost;           /* arrivals that were lost to underflow */
    uint64_t row_bytes;
    /* the time of the last commit, and how long it took */
    double commit_time, commit_cost;
    double simulated;        /* seconds spent on the simulation alone */
    int64_t simulated_steps; /* of this process, not before a resume */
};

/* Seconds of a clock that is never adjusted. */
static double clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the state ---- */

/* All that the next steps and their rows depend on. */
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

static enum status measure_state(struct run *run, struct error *error)
{
    struct state state = { .mode = STATE_MEASURE };
    run->state.ranks = run->options.ranks;
    run->state.share = *simulation_share(run->simulation);
    enum status status = visit(run, &state, error);
    run->plan.recording.restart_bytes = state.used;
    return status ? status : state_shared_room(&run->state, error);
}

static enum status save_state(struct run *run, struct error *error)
{
    struct state state = { .mode = STATE_SAVE, .memory = run->restart };
    return visit(run, &state, error);
}

/* The number of frames must agree with the step, because the state may come
 * from an untrusted source. */
static enum status check(const struct run *run, const struct state *state,
                         struct error *error)
{
    int64_t step = simulation_step(run->simulation);
    const char *path = run->options.path;
    if (ranks_max(run->options.ranks, state->strange))
        return error_at(error, STATUS_INPUT, path, 0,
                        "cannot be resumed: the state of its last commit does "
                        "not belong to this scenario; record it again");
    if (step > run->scenario->steps ||
        step / run->scenario->record.every + 1 != run->rows)
        return error_at(error, STATUS_INPUT, path, 0,
                        "cannot be resumed: its state is of step %lld, and it "
                        "has %lld rows; record it again",
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
    status = ranks_agree(run->options.ranks, status, error);
    return status ? status : check(run, &state, error);
}

/* Each rank reads its part from the file, in which the state begins at `at`. */
static enum status load_state(struct run *run, uint64_t at, struct error *error)
{
    const char *path = run->options.path;
    enum status status = STATUS_OK;
    if (!run->options.ranks)
        return load(run, error);
    run->state.offset = at;
    run->state.file = open(path, O_RDONLY | O_CLOEXEC);
    if (run->state.file < 0)
        status = error_system(error, STATUS_DISK, "%s: cannot be read", path);
    status = ranks_agree(run->options.ranks, status, error);
    if (!status)
        status = load(run, error);
    if (run->state.file >= 0)
        close(run->state.file);
    return status;
}

/* ---- recording a generation ---- */

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

static bool set_new(const struct run *run, struct run_fields *set)
{
    const struct recording_plan *plan = &run->plan.recording;
    set->packed = memory_new((size_t)plan->waves, sizeof *set->packed);
    set->lying = memory_new((size_t)plan->waves, sizeof *set->lying);
    bool good = set->packed && set->lying;
    if (plan->amplitude || plan->arrival)
        good = good && fields_new(run, &set->amplitude);
    for (int axis = 0; plan->gradient && axis < plan->grid.dims; axis++)
        good = good && fields_new(run, &set->gradient[axis]);
    return good;
}

/* The bytes of one set: whole fields, even if only a region is recorded. */
static size_t set_bytes(const struct run *run)
{
    const struct recording_plan *plan = &run->plan.recording;
    size_t fields = (plan->amplitude || plan->arrival ? 1 : 0) +
                    (plan->gradient ? (size_t)plan->grid.dims : 0);
    return (size_t)plan->waves * fields *
           simulation_field_bytes(run->simulation);
}

/* The number of sets. For small frames several may wait for the thread that
 * writes them, but no more than fit the caches: others would cost more time
 * than they save. Keyframes come in pairs. */
static size_t sets_needed(const struct run *run)
{
    size_t sets = SETS_BYTES / (set_bytes(run) + 1);
    size_t least = run->plan.recording.keyframes ? SETS_OF_KEYFRAMES : 2;
    return sets < least ? least : sets < SETS_MOST ? sets : SETS_MOST;
}

static enum status sets_new(struct run *run, struct error *error)
{
    run->field_sets = sets_needed(run);
    run->fields = memory_new(run->field_sets, sizeof *run->fields);
    bool good = run->fields != NULL;
    for (size_t i = 0; good && i < run->field_sets; i++)
        good = set_new(run, &run->fields[i]);
    return good ? STATUS_OK : error_memory(error);
}

static void sets_release(struct run *run)
{
    for (size_t i = 0; run->fields && i < run->field_sets; i++) {
        fields_release(run, run->fields[i].amplitude);
        for (int axis = 0; axis < GRID_AXES; axis++)
            fields_release(run, run->fields[i].gradient[axis]);
        memory_release(run->fields[i].packed);
        memory_release(run->fields[i].lying);
    }
    memory_release(run->fields);
}

static void forget_field(struct run *run, int wave)
{
    run->fields[run->turn].packed[wave] = false;
}

static void forget_fields(struct run *run)
{
    for (int i = 0; i < run->plan.recording.waves; i++)
        forget_field(run, i);
}

static const void *amplitude_of(struct run *run, int wave)
{
    struct run_fields *set = &run->fields[run->turn];
    if (!set->packed[wave])
        simulation_amplitude(run->simulation, wave, set->amplitude[wave]);
    set->packed[wave] = true;
    return set->amplitude[wave];
}

static struct recording_lying lying(struct amplitudes newest)
{
    return (struct recording_lying){ .values = newest.values,
                                     .row = newest.row,
                                     .layer = newest.layer };
}

/* The last frame of a run has no later keyframe to be checked against. */
static enum kept kept_of(const struct run *run)
{
    enum kept kept = recorder_keeps(run->recorder, run->rows);
    return kept == KEPT_NOTHING && simulation_ended(run->simulation)
               ? KEPT_CHECKSUM
               : kept;
}

static void take_fields(struct run *run, enum kept kept,
                        struct recording_fields *fields)
{
    const struct recording_plan *plan = &run->plan.recording;
    const struct run_fields *set = &run->fields[run->turn];
    bool packed = kept == KEPT_WHOLE;
    for (int i = 0; i < plan->waves; i++) {
        if (plan->amplitude && packed)
            amplitude_of(run, i);
        else if (plan->amplitude && kept == KEPT_CHECKSUM)
            set->lying[i] = lying(simulation_newest(run->simulation, i));
        if (plan->gradient)
            simulation_gradient(
                run->simulation, i, set->gradient[0][i], set->gradient[1][i],
                plan->grid.dims == 3 ? set->gradient[2][i] : NULL);
    }
    if (packed)
        fields->amplitude = (const void *const *)set->amplitude;
    else if (kept == KEPT_CHECKSUM)
        fields->lying = set->lying;
    for (int axis = 0; axis < GRID_AXES; axis++)
        fields->gradient[axis] = (const void *const *)set->gradient[axis];
}

static bool is_held(const struct agents *agents)
{
    for (size_t i = 0; i < agents->count; i++)
        if (agents->state[i] == AGENT_CAPTURED)
            return true;
    return false;
}

static bool can_move(const struct target *target)
{
    return target->settings && target->settings->motion != MOTION_STILL &&
           target->settings->speed > 0;
}

/* The target counts as captured if any agent has captured it, even if the run
 * continues for the other agents. */
static int8_t target_state(const struct run *run)
{
    const struct pursuit *pursuit = simulation_pursuit(run->simulation);
    const struct target *target = pursuit_target(pursuit);
    if (is_held(pursuit_agents(pursuit)))
        return AGENT_CAPTURED;
    if (simulation_step(run->simulation) == 0 || !can_move(target))
        return AGENT_WAITING;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (target->at[axis] != run->target_before[axis])
            return AGENT_MOVING;
    return AGENT_STUCK;
}

/* In the order of relay_counter_names. */
static void set_relay(struct recording_fields *fields,
                      const struct relay_counters *counters)
{
    const int64_t values[RELAY_COUNTERS] = {
        (int64_t)counters->searches, (int64_t)counters->researches,
        (int64_t)counters->goals,    (int64_t)counters->failures,
        counters->nodes_most,        counters->researches_most,
    };
    memcpy(fields->relay, values, sizeof values);
}

static enum status record_row(struct run *run, struct error *error)
{
    const struct pursuit *pursuit = simulation_pursuit(run->simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    const struct target *target = pursuit_target(pursuit);
    struct recording_fields fields = {
        .step = simulation_step(run->simulation),
        .agent_state = agents->state,
        .target_state = target_state(run),
    };
    enum kept kept = kept_of(run);
    set_relay(&fields, pursuit_relay(pursuit));
    take_fields(run, kept, &fields);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        fields.agent_at[axis] = agents->at[axis];
        fields.agent_heading[axis] = agents->heading[axis];
        fields.target_at[axis] = target->at[axis];
        fields.target_heading[axis] = target->heading[axis];
    }
    enum status status = recorder_row(run->recorder, run->rows, &fields, error);
    if (!status)
        run->rows++;
    if (kept == KEPT_WHOLE)
        run->turn = (run->turn + 1) % run->field_sets;
    return status;
}

/* The meaning of amplitude and gradient in an agent's arrivals. */
static enum arrival_quantity quantity_of(const struct run *run, int agent)
{
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(run->simulation));
    if (agents->settings[agent]->method == METHOD_LEE)
        return QUANTITY_FRONT_STEP;
    return run->scenario->arrival.detector->own_wave ? QUANTITY_LOG_SUM
                                                     : QUANTITY_AMPLITUDE;
}

/* Records the arrivals and captures of the step before this generation. */
static enum status record_pursuit(struct run *run, int64_t step,
                                  struct error *error)
{
    const struct pursuit *pursuit = simulation_pursuit(run->simulation);
    const struct agent_arrivals *arrivals = pursuit_arrivals(pursuit);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < arrivals->count && !status; i++) {
        const struct agent_arrival *from = &arrivals->items[i];
        struct recorded_arrival arrival = {
            .agent = from->agent,
            .wave = from->wave,
            .step = from->step,
            .quantity = quantity_of(run, from->agent),
            .amplitude = from->amplitude,
        };
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
    for (double start = clock_now();
         !status && simulation_plan(run->simulation, &plan);
         start = clock_now()) {
        run->simulated += clock_now() - start;
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

static enum status record_terrain(struct run *run, int64_t step,
                                  struct error *error)
{
    if (step > 0 && !simulation_terrain_changed(run->simulation))
        return STATUS_OK;
    if (step > 0)
        run->version++;
    return recorder_terrain(run->recorder, run->version,
                            simulation_terrain(run->simulation), error);
}

static enum status record_happenings(struct run *run, struct error *error)
{
    size_t count;
    const struct simulation_emission *emissions =
        simulation_emissions(run->simulation, &count);
    int64_t step = simulation_step(run->simulation);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = recorder_emission(run->recorder, emissions[i].wave, step,
                                   emissions[i].cell, error);
    if (!status)
        status = record_terrain(run, step, error);
    if (!status)
        status = record_pursuit(run, step, error);
    return status ? status : record_plans(run, error);
}

/* ---- construction ---- */

static enum status make_members(struct run *run, struct error *error)
{
    const struct scenario *scenario = run->scenario;
    enum status status =
        simulation_new_shared(scenario, run->options.threads,
                              run->options.ranks, &run->simulation, error);
    if (!status)
        status = run_plan_init(&run->plan, scenario, run->simulation,
                               run->options.command, error);
    const struct recording_plan *plan = &run->plan.recording;
    if (!status && plan->every == 1 &&
        (plan->gradient || (plan->amplitude && !plan->keyframes)))
        simulation_look_at_all(run->simulation);
    if (!status && run->plan.recording.arrival)
        status =
            run_arrivals_init(&run->arrivals, scenario, run->simulation, error);
    /* The state is measured by all ranks together, so all must have come
     * here. */
    if (ranks_max(run->options.ranks, status))
        return status;
    return measure_state(run, error);
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
    enum status status = make_members(made, error);
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

/* ---- one step ---- */

/* By default a commit never waits for a slow disk. */
static bool default_commit_due(const struct run *run)
{
    uint64_t rows = (uint64_t)(run->rows - run->committed);
    double since = clock_now() - run->commit_time;
    bool due = rows * run->row_bytes >= commit_bytes || since >= commit_seconds;
    due = due && since >= commit_pauses * run->commit_cost &&
          recorder_settled(run->recorder);
    /* clocks of the ranks differ */
    ranks_broadcast(run->options.ranks, &due, sizeof due);
    return due;
}

/* Commits are also made between recorded steps: if frames are far apart, the
 * state to resume from is worth saving. Not with ranks, which would have to
 * agree at every step. */
static bool commit_due(const struct run *run)
{
    int64_t step = simulation_step(run->simulation);
    int64_t commit = run->scenario->record.commit;
    if (run->options.ranks && step % run->scenario->record.every != 0)
        return false;
    return commit ? step - run->committed_step >= commit
                  : default_commit_due(run);
}

/* Makes everything recorded durable, and the state to resume from if the
 * simulation is `whole`. */
static enum status commit(struct run *run, bool whole, struct error *error)
{
    const double start = clock_now();
    enum status status = STATUS_OK;
    for (int i = 0; run->arrivals.waves && i < run->plan.recording.waves; i++) {
        const int32_t *steps = run_arrivals_steps(&run->arrivals, i);
        if (steps && !status)
            status = recorder_arrival_field(run->recorder, i, steps, error);
    }
    if (!status && whole)
        status = save_state(run, error);
    if (!status && run->options.ranks)
        status = recorder_commit_shared(run->recorder, run->rows,
                                        whole ? &run->state : NULL, error);
    else if (!status)
        status = recorder_commit(run->recorder, run->rows,
                                 whole ? run->restart : NULL, error);
    if (!status) {
        run->committed = run->rows;
        run->committed_step = simulation_step(run->simulation);
        run->commit_time = clock_now();
        run->commit_cost = run->commit_time - start;
    }
    return status;
}

static bool wants_arrivals(const struct run *run, int wave, int64_t step)
{
    return run->arrivals.waves &&
           run_arrivals_wants(&run->arrivals, wave, step);
}

/* Keeps the new generation before waves are emitted again: for those waves it
 * is the last one of their first emission. */
static void keep_generation(struct run *run)
{
    int64_t step = simulation_step(run->simulation);
    forget_fields(run);
    for (int i = 0; i < run->plan.recording.waves; i++)
        if (wants_arrivals(run, i, step)) {
            amplitude_of(run, i);
            run_arrivals_go_on(&run->arrivals, i, step);
        }
}

static bool is_emitted(const struct run *run, int wave)
{
    size_t count;
    const struct simulation_emission *emissions =
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

/* Takes the generation of each wave, after the events of this step. */
static void take_generation(struct run *run)
{
    int64_t step = simulation_step(run->simulation);
    for (int i = 0; i < run->plan.recording.waves; i++) {
        if (!is_emitted(run, i) && simulation_terrain_changed(run->simulation))
            forget_field(run, i);
        if (wants_arrivals(run, i, step))
            run_arrivals_take(&run->arrivals, i, step, amplitude_of(run, i));
    }
}

static void take_emissions(struct run *run)
{
    size_t count;
    const struct simulation_emission *emissions =
        simulation_emissions(run->simulation, &count);
    for (size_t i = 0; i < count; i++) {
        int wave = emissions[i].wave;
        forget_field(run, wave);
        if (run->arrivals.waves)
            run_arrivals_emitted(&run->arrivals, wave, emissions[i].cell,
                                 simulation_step(run->simulation),
                                 amplitude_of(run, wave));
    }
}

static enum status look(struct run *run, struct error *error)
{
    double start = clock_now();
    enum status status = simulation_begin(run->simulation, error);
    run->simulated += clock_now() - start;
    if (status)
        return status;
    if (simulation_terrain_changed(run->simulation))
        take_events(run);
    take_generation(run);
    take_emissions(run);
    status = record_happenings(run, error);
    if (!status &&
        simulation_step(run->simulation) % run->scenario->record.every == 0)
        status = record_row(run, error);
    if (!status && commit_due(run))
        status = commit(run, true, error);
    return status;
}

/* ---- the start ---- */

enum status run_take_room(struct run *run, struct error *error)
{
    enum status status = sets_new(run, error);
    if (status || run->options.ranks)
        return status;
    run->restart = memory_new(1, run->plan.recording.restart_bytes);
    return run->restart ? STATUS_OK : error_memory(error);
}

/* Loads the state of the file before anything is written: a recording that is
 * rejected is not changed. */
static enum status load_found(struct run *run, struct resumption *found,
                              struct error *error)
{
    struct ranks *ranks = run->options.ranks;
    uint64_t at = found ? resumption_state_at(found) : 0;
    if (found)
        run->rows = resumption_rows(found);
    ranks_broadcast(ranks, &at, sizeof at);
    ranks_broadcast(ranks, &run->rows, sizeof run->rows);
    return load_state(run, at, error);
}

/* The first rank opens the file, and all ranks load their parts of its state.
 */
static enum status find_shared(struct run *run, struct resumption **found,
                               struct error *error)
{
    struct ranks *ranks = run->options.ranks;
    enum status status = STATUS_OK;
    if (ranks_self(ranks) == 0)
        status = recorder_find(run->options.path, &run->plan.recording, NULL,
                               found, error);
    status = ranks_agree(ranks, status, error);
    return status ? status : load_found(run, *found, error);
}

/* The first rank creates or opens the file; then the others open it too. */
static enum status open_shared(struct run *run, struct error *error)
{
    struct ranks *ranks = run->options.ranks;
    const struct recording_plan *plan = &run->plan.recording;
    const char *path = run->options.path;
    struct resumption *found = NULL;
    bool first = ranks_self(ranks) == 0;
    enum status status = STATUS_OK;
    if (run->options.resume)
        status = find_shared(run, &found, error);
    if (status)
        resumption_release(found);
    else if (found)
        status = recorder_resume(found, &run->recorder, error);
    else if (first)
        status = recorder_create(path, plan, run->options.force, &run->recorder,
                                 error);
    status = ranks_agree(ranks, status, error);
    if (status)
        return status;
    run->under_way = true;
    if (!first)
        status = recorder_follow(path, plan, &run->recorder, error);
    if (!status)
        status = recorder_share(run->recorder, ranks,
                                &simulation_share(run->simulation)->own,
                                run->options.collective, error);
    return status ? status
                  : recorder_overlap(run->recorder, run->field_sets, error);
}

static enum status create(struct run *run, struct error *error)
{
    enum status status;
    if (run->options.ranks) {
        status = open_shared(run, error);
        return status ? status : look(run, error);
    }
    status = recorder_create(run->options.path, &run->plan.recording,
                             run->options.force, &run->recorder, error);
    if (!status)
        status = recorder_overlap(run->recorder, run->field_sets, error);
    return status ? status : look(run, error);
}

static enum status find_recording(struct run *run, struct error *error)
{
    struct resumption *found;
    if (run->options.ranks)
        return open_shared(run, error);
    enum status status = recorder_find(run->options.path, &run->plan.recording,
                                       run->restart, &found, error);
    if (status)
        return status;
    status = load_found(run, found, error);
    if (status)
        resumption_release(found);
    else
        status = recorder_resume(found, &run->recorder, error);
    return status ? status
                  : recorder_overlap(run->recorder, run->field_sets, error);
}

static enum status resume(struct run *run, struct error *error)
{
    const struct recording_plan *plan = &run->plan.recording;
    enum status status = find_recording(run, error);
    if (status)
        return status;
    run->committed = run->rows;
    run->committed_step = simulation_step(run->simulation);
    while (run->version + 1 < plan->versions &&
           plan->version_steps[run->version + 1] <= run->committed_step)
        run->version++;
    /* The last step of a run makes no plans. With more steps it would not be
     * the last. */
    return record_plans(run, error);
}

enum status run_begin(struct run *run, struct error *error)
{
    struct run_size size;
    enum status status = run_size(run, &size, error);
    if (status)
        return status;
    run->row_bytes = size.bytes / (uint64_t)size.rows;
    status = run_take_room(run, error);
    if (status)
        return status;
    run->commit_time = clock_now();
    return run->options.resume ? resume(run, error) : create(run, error);
}

/* ---- the steps and the end ---- */

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
    double start = clock_now();
    enum status status = simulation_advance(run->simulation, error);
    if (status)
        return status;
    run->simulated += clock_now() - start;
    run->simulated_steps++;
    keep_generation(run);
    status = look(run, error);
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
        status = record_row(run, error);
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
    sets_release(run);
    run_arrivals_release(&run->arrivals);
    state_shared_release(&run->state);
    memory_release(run->restart);
    run_plan_release(&run->plan);
    simulation_release(run->simulation);
    memory_release(run);
}
