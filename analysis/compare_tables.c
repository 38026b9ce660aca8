/* SPDX-License-Identifier: MIT */
#include "compare_quantile.h"
#include "compare_reading.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static enum status read_column(const struct reading *reading, const char *name,
                               double **values, int64_t *count,
                               struct error *error)
{
    char table[VARIABLE_NAME_SIZE];
    snprintf(table, sizeof table, "%s", name);
    table[strcspn(table, "/")] = '\0';
    const struct variable *variable = recording_find(reading->recording, name);
    *count = variable ? recording_table_rows(reading->recording, table) : 0;
    *values =
        memory_new(*count ? variable_elements(variable) : 0, sizeof **values);
    if (!*values)
        return error_memory(error);
    return *count ? recording_read_real(reading->recording, variable, 0,
                                        *values, error)
                  : STATUS_OK;
}

static struct outcome *outcome_of(const struct reading *reading, double agent)
{
    bool valid = agent >= 0 && agent < (double)reading->agents;
    return valid ? &reading->outcome[(size_t)agent] : NULL;
}

static enum status read_captures(struct reading *reading, struct error *error)
{
    double *agent = NULL, *step = NULL;
    int64_t agents = 0, steps = 0;
    enum status status =
        read_column(reading, "captures/agent", &agent, &agents, error);
    if (!status)
        status = read_column(reading, "captures/step", &step, &steps, error);
    for (int64_t i = 0; !status && i < agents && i < steps; i++) {
        struct outcome *outcome = outcome_of(reading, agent[i]);
        if (outcome)
            outcome->capture = (int64_t)step[i];
    }
    memory_release(agent);
    memory_release(step);
    return status;
}

/* An arrival without a heading was lost, or left the old one. */
static enum status read_arrivals(struct reading *reading, struct error *error)
{
    double *agent = NULL, *heading[GRID_AXES] = { NULL };
    int64_t agents = 0, headings = 0;
    const int axes = reading_axes(reading);
    enum status status =
        read_column(reading, "arrivals/agent", &agent, &agents, error);
    for (int axis = 0; axis < axes && !status; axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "arrivals/heading_%c", "xyz"[axis]);
        status = read_column(reading, name, &heading[axis], &headings, error);
    }
    for (int64_t i = 0; !status && i < agents && i < headings; i++) {
        struct outcome *outcome = outcome_of(reading, agent[i]);
        double length = 0;
        for (int axis = 0; axis < axes; axis++)
            length += fabs(heading[axis][i]);
        if (outcome && length > 0)
            outcome->updates++;
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(heading[axis]);
    memory_release(agent);
    return status;
}

/* The whole simulation's, so the same for all its agents; 0 is not told. */
static enum status read_step_time(struct reading *reading, struct error *error)
{
    const struct variable *variable =
        recording_find(reading->recording, "provenance/step_nanoseconds");
    double nanoseconds = 0;
    enum status status = STATUS_OK;
    if (variable)
        status = recording_read_real(reading->recording, variable, 0,
                                     &nanoseconds, error);
    for (size_t i = 0; i < reading->agents && nanoseconds > 0; i++)
        reading->outcome[i].step_nanoseconds = nanoseconds;
    return status;
}

/* The median of one column of /plans for each agent. */
static enum status read_plans(struct reading *reading, const char *column,
                              size_t offset, struct error *error)
{
    double *agent = NULL, *value = NULL, *own = NULL;
    int64_t agents = 0, values = 0;
    enum status status =
        read_column(reading, "plans/agent", &agent, &agents, error);
    if (!status)
        status = read_column(reading, column, &value, &values, error);
    if (status || !agents || values < agents)
        goto done;
    own = memory_new((size_t)agents, sizeof *own);
    if (!own) {
        status = error_memory(error);
        goto done;
    }
    for (size_t i = 0; i < reading->agents; i++) {
        size_t count = 0;
        for (int64_t j = 0; j < agents; j++)
            if (agent[j] == (double)i)
                own[count++] = value[j];
        double median = quantile_sort(own, count, 0.5);
        memcpy((char *)&reading->outcome[i] + offset, &median, sizeof median);
    }
done:
    memory_release(agent);
    memory_release(value);
    memory_release(own);
    return status;
}

enum status reading_tables(struct reading *reading, struct error *error)
{
    enum status status = read_captures(reading, error);
    if (!status)
        status = read_arrivals(reading, error);
    if (!status)
        status = read_step_time(reading, error);
    if (!status)
        status = read_plans(reading, "plans/nanoseconds",
                            offsetof(struct outcome, nanoseconds), error);
    if (!status)
        status = read_plans(reading, "plans/expansions",
                            offsetof(struct outcome, expansions), error);
    return status;
}
