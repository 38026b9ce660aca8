/* SPDX-License-Identifier: MIT */
#include "sweep.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* One run's metrics; where it cannot be measured, the run has failed. */
static void measure(struct sweep *sweep, struct sweep_run *run,
                    double values[METRICS])
{
    struct recording *recording;
    struct measured measured;
    struct error fault;
    for (int m = 0; m < METRICS; m++)
        values[m] = NAN;
    if (run->state != SWEEP_DONE)
        return;
    if (recording_open(run->recording, &recording, &fault)) {
        sweep_fail(sweep, run, fault.message);
        return;
    }
    if (measured_init(&measured, recording, &fault))
        sweep_fail(sweep, run, fault.message);
    else
        for (int m = 0; m < METRICS; m++)
            values[m] = metrics[m].value(&measured);
    measured_release(&measured);
    recording_close(recording);
}

size_t sweep_group_run(const struct sweep_table *table, size_t group, size_t i)
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
    table->seed_stride = 1;
    for (size_t later = axis + 1; later < grid->axis_count; later++)
        table->seed_stride *= grid->axes[later].count;
    table->group_count = grid->runs / table->seeds;
    table->summaries =
        memory_new(table->group_count, METRICS * sizeof *table->summaries);
    double *values = memory_new(table->seeds, sizeof *values);
    enum status status =
        table->summaries && values ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < table->group_count * METRICS && !status; i++) {
        size_t group = i / METRICS, metric = i % METRICS;
        for (size_t s = 0; s < table->seeds; s++)
            values[s] =
                table->values[sweep_group_run(table, group, s) * METRICS +
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
    table->values =
        memory_new(sweep->grid.runs, METRICS * sizeof *table->values);
    if (!table->values)
        return error_memory(error);
    for (size_t i = 0; i < sweep->grid.runs; i++) {
        measure(sweep, &sweep->runs[i], table->values + i * METRICS);
        if (sweep_stopped(sweep, 0))
            return STATUS_OK;
    }
    return make_groups(table, error);
}

void sweep_table_release(struct sweep_table *table)
{
    memory_release(table->values);
    memory_release(table->summaries);
    *table = (struct sweep_table){ 0 };
}
