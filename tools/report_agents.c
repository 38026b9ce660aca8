/* SPDX-License-Identifier: MIT */
/* The ways of agents and target. */
#include "report.h"

#include "base/memory.h"

#include <math.h>

static const char *const agent_axes[] = { "agents/x", "agents/y", "agents/z" };
static const char *const target_axes[] = { "target/x", "target/y", "target/z" };

static enum status add_agent(struct report_run *run, int number,
                             const char *name, struct error *error)
{
    struct report_agent *agent = &run->agents[run->agent_count];
    agent->number = number;
    snprintf(agent->name, sizeof agent->name, "%s", name);
    agent->at = memory_new(run->places, sizeof *agent->at);
    if (!agent->at)
        return error_memory(error);
    run->agent_count++;
    return STATUS_OK;
}

/* Reads a variable of a row; its values are those of agents, or of the target
 * alone. */
struct reading {
    struct report_run *run;
    const char *const *names;
    double *values[GRID_AXES]; /* each axis, [elements] */
    size_t elements;
};

static enum status read_row(const struct reading *reading, int64_t row,
                            struct error *error)
{
    const struct recording *recording = reading->run->recording;
    enum status status = STATUS_OK;
    int axes = grid_axes(recording_grid(recording));
    for (int axis = 0; axis < axes && !status; axis++)
        status = recording_read_real(
            recording, recording_find(recording, reading->names[axis]), row,
            reading->values[axis], error);
    return status;
}

static void keep_row(const struct reading *reading, size_t place,
                     double (*last)[GRID_AXES])
{
    struct report_run *run = reading->run;
    bool target = reading->names == target_axes;
    for (size_t i = 0; i < run->agent_count; i++) {
        struct report_agent *agent = &run->agents[i];
        if (target != (agent->number < 0))
            continue;
        size_t from = target ? 0 : (size_t)agent->number;
        double at[GRID_AXES] = { 0 }, far = 0;
        for (int axis = 0; axis < recording_grid(run->recording)->dims; axis++)
            at[axis] = reading->values[axis][from];
        for (int axis = 0; axis < GRID_AXES; axis++) {
            far = hypot(far, at[axis] - last[i][axis]);
            last[i][axis] = at[axis];
        }
        agent->way += place ? far : 0;
        agent->at[place][0] = (float)at[run->right];
        agent->at[place][1] = (float)at[run->down];
    }
}

static enum status read_all(struct report_run *run, const char *const *names,
                            struct error *error)
{
    static double last[REPORT_AGENTS + 1][GRID_AXES];
    const struct variable *x = recording_find(run->recording, names[0]);
    struct reading reading = { .run = run, .names = names };
    enum status status = STATUS_OK;
    if (!x)
        return STATUS_OK;
    reading.elements = variable_elements(x);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        reading.values[axis] =
            memory_new(reading.elements, sizeof *reading.values[axis]);
        if (!reading.values[axis])
            status = error_memory(error);
    }
    for (size_t place = 0; place < run->places && !status; place++) {
        status = read_row(&reading, run->place_rows[place], error);
        if (!status)
            keep_row(&reading, place, last);
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(reading.values[axis]);
    return status;
}

enum status report_agents_read(struct report_run *run, struct error *error)
{
    enum status status = STATUS_OK;
    size_t agents = run->info.agent_count;
    run->way_text = memory_new(run->places, REPORT_PLACE_SIZE);
    if (!run->way_text)
        return error_memory(error);
    for (size_t i = 0; i < agents && i < REPORT_AGENTS && !status; i++)
        status = add_agent(run, (int)i, run->info.agents[i].name, error);
    if (!status && recording_find(run->recording, target_axes[0]))
        status = add_agent(run, -1, "target", error);
    if (!status)
        status = read_all(run, agent_axes, error);
    if (!status)
        status = read_all(run, target_axes, error);
    return status;
}
