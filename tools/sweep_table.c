/* SPDX-License-Identifier: MIT */
#include "sweep.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The scenario may have been edited since it was read for the sweep's plan. */
static enum status keep_parameters(struct sweep_run *run,
                                   const struct recording *recording,
                                   struct error *error)
{
    const char *parameters = recording_text(recording, "parameters");
    char *copy = memory_text(parameters ? parameters : "");
    if (!copy)
        return error_memory(error);
    memory_release(run->parameters);
    run->parameters = copy;
    return STATUS_OK;
}

/* What is measured of a run; none where it is not done, and where it cannot be
 * measured it has failed. */
static bool measure(struct sweep *sweep, struct sweep_run *run,
                    struct measured *measured)
{
    struct recording *recording;
    struct error fault;
    if (run->state != SWEEP_DONE)
        return false;
    if (recording_open(run->recording, &recording, &fault)) {
        sweep_fail(sweep, run, fault.message);
        return false;
    }
    enum status status = measured_init(measured, recording, &fault);
    if (!status)
        status = keep_parameters(run, recording, &fault);
    recording_close(recording);
    if (!status)
        return true;
    sweep_fail(sweep, run, fault.message);
    measured_release(measured);
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool is_method(const struct sweep_table *table, const char *method)
{
    for (size_t i = 0; i < table->method_count; i++)
        if (strcmp(table->methods[i], method) == 0)
            return true;
    return false;
}

/* The methods of all runs. */
static enum status collect_methods(struct sweep_table *table,
                                   const struct measured *runs,
                                   struct error *error)
{
    for (size_t i = 0; i < table->sweep->grid.runs; i++)
        for (size_t j = 0; j < runs[i].agent_count; j++) {
            const char *method = runs[i].agents[j].method;
            size_t count = table->method_count;
            if (is_method(table, method))
                continue;
            void *more = memory_grow(table->methods, count, count + 1,
                                     sizeof *table->methods);
            if (!more)
                return error_memory(error);
            table->methods = more;
            snprintf(table->methods[count], sizeof table->methods[count], "%s",
                     method);
            table->method_count++;
        }
    if (table->method_count == 0) { /* no agents: a row a run */
        table->methods = memory_new(1, sizeof *table->methods);
        table->method_count = 1;
    }
    if (!table->methods)
        return error_memory(error);
    qsort(table->methods, table->method_count, sizeof *table->methods, by_name);
    return STATUS_OK;
}

static enum status fill_run(struct sweep_table *table, size_t run,
                            const struct measured *measured,
                            struct error *error)
{
    struct measured_agent *agents =
        memory_new(measured->agent_count, sizeof *agents);
    if (!agents)
        return error_memory(error);
    for (size_t i = 0; i < table->method_count; i++) {
        size_t row = run * table->method_count + i;
        struct measured part;
        if (!measured_of_method(measured, table->methods[i], agents, &part) &&
            measured->agent_count)
            continue;
        for (int m = 0; m < METRICS; m++)
            table->values[row * METRICS + (size_t)m] = metrics[m].value(&part);
    }
    memory_release(agents);
    return STATUS_OK;
}

static enum status fill(struct sweep_table *table, const struct measured *runs,
                        const bool *done, struct error *error)
{
    size_t count = table->sweep->grid.runs;
    enum status status = collect_methods(table, runs, error);
    if (status)
        return status;
    table->rows = count * table->method_count;
    table->values = memory_new(table->rows, METRICS * sizeof *table->values);
    if (!table->values)
        return error_memory(error);
    for (size_t i = 0; i < table->rows * METRICS; i++)
        table->values[i] = NAN;
    for (size_t i = 0; i < count && !status; i++)
        if (done[i])
            status = fill_run(table, i, &runs[i], error);
    return status;
}

size_t sweep_group_row(const struct sweep_table *table, size_t group, size_t i)
{
    size_t stride = table->seed_stride;
    return group / stride * stride * table->seeds + group % stride + i * stride;
}

static enum status make_groups(struct sweep_table *table, struct error *error)
{
    const struct sweep_grid *grid = &table->sweep->grid;
    size_t axis = 0;
    while (axis < grid->axis_count && strcmp(grid->axes[axis].key, "seed") != 0)
        axis++;
    table->seed_axis = axis;
    if (axis == grid->axis_count)
        return STATUS_OK;
    table->seeds = grid->axes[axis].count;
    table->seed_stride = table->method_count;
    for (size_t later = axis + 1; later < grid->axis_count; later++)
        table->seed_stride *= grid->axes[later].count;
    table->group_count = table->rows / table->seeds;
    table->summaries =
        memory_new(table->group_count, METRICS * sizeof *table->summaries);
    double *values = memory_new(table->seeds, sizeof *values);
    enum status status =
        table->summaries && values ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < table->group_count * METRICS && !status; i++) {
        size_t group = i / METRICS, metric = i % METRICS;
        for (size_t s = 0; s < table->seeds; s++)
            values[s] =
                table->values[sweep_group_row(table, group, s) * METRICS +
                              metric];
        status =
            summary_make(values, table->seeds, &table->summaries[i], error);
    }
    memory_release(values);
    return status;
}

enum status sweep_table_make(struct sweep *sweep, struct sweep_table *table,
                             struct error *error)
{
    *table = (struct sweep_table){ .sweep = sweep };
    struct measured *runs = memory_new(sweep->grid.runs, sizeof *runs);
    bool *done = memory_new(sweep->grid.runs, sizeof *done);
    enum status status = runs && done ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < sweep->grid.runs && !status; i++) {
        done[i] = measure(sweep, &sweep->runs[i], &runs[i]);
        if (sweep_stopped(sweep, 0))
            break;
    }
    if (!status && !sweep->stopped)
        status = fill(table, runs, done, error);
    if (!status && !sweep->stopped)
        status = make_groups(table, error);
    if (!status && !sweep->stopped)
        status = sweep_columns_make(table, error);
    for (size_t i = 0; runs && i < sweep->grid.runs; i++)
        measured_release(&runs[i]);
    memory_release(runs);
    memory_release(done);
    return status;
}

void sweep_table_release(struct sweep_table *table)
{
    memory_release(table->methods);
    memory_release(table->values);
    memory_release(table->summaries);
    sweep_columns_release(table);
    *table = (struct sweep_table){ 0 };
}
