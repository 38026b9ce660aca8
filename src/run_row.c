/* SPDX-License-Identifier: MIT */
/* What a run writes at a step: its row, and its rows of the tables. */
#include "base/memory.h"
#include "run_parts.h"

#include <string.h>

enum { SETS_BYTES = 2 << 20, SETS_MOST = 32, SETS_OF_KEYFRAMES = 3 };

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

/* What one set takes: whole fields, whatever part of them is recorded. */
static size_t set_bytes(const struct run *run)
{
    const struct recording_plan *plan = &run->plan.recording;
    size_t fields = (plan->amplitude || plan->arrival ? 1 : 0) +
                    (plan->gradient ? (size_t)plan->grid.dims : 0);
    return (size_t)plan->waves * fields *
           simulation_field_bytes(run->simulation);
}

/* Small rows wait in numbers for the thread that writes them; more than stay in
 * the caches would cost more than they spare. Keyframes come in pairs. */
static size_t sets_wanted(const struct run *run)
{
    size_t sets = SETS_BYTES / (set_bytes(run) + 1);
    size_t least = run->plan.recording.keyframes ? SETS_OF_KEYFRAMES : 2;
    return sets < least ? least : sets < SETS_MOST ? sets : SETS_MOST;
}

enum status run_fields_new(struct run *run, struct error *error)
{
    run->field_sets = sets_wanted(run);
    run->fields = memory_new(run->field_sets, sizeof *run->fields);
    bool good = run->fields != NULL;
    for (size_t i = 0; good && i < run->field_sets; i++)
        good = set_new(run, &run->fields[i]);
    return good ? STATUS_OK : error_memory(error);
}

void run_fields_release(struct run *run)
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

void run_forget_field(struct run *run, int wave)
{
    run->fields[run->turn].packed[wave] = false;
}

void run_forget_fields(struct run *run)
{
    for (int i = 0; i < run->plan.recording.waves; i++)
        run_forget_field(run, i);
}

const void *run_amplitude(struct run *run, int wave)
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

/* The last row of a run has no later one to be held to. */
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
            run_amplitude(run, i);
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

/* The target is captured while an agent holds it, even where it goes on for
 * the others. */
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

enum status run_record_row(struct run *run, struct error *error)
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

enum status run_record_plans(struct run *run, struct error *error)
{
    struct agent_plan plan;
    enum status status = STATUS_OK;
    for (double start = run_clock();
         !status && simulation_plan(run->simulation, &plan);
         start = run_clock()) {
        run->simulated += run_clock() - start;
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

enum status run_record_happenings(struct run *run, struct error *error)
{
    size_t count;
    const struct emission *emissions =
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
    return status ? status : run_record_plans(run, error);
}
