/* SPDX-License-Identifier: MIT */
/* Rows of the tables: emissions, arrivals, captures, plans. */
#include "recording/write/file.h"

static enum status full(const struct recorder *recorder, enum table_name name,
                        struct error *error)
{
    return error_at(error, STATUS_DISK, recorder->path, 0,
                    "/%s is full at %lld rows: record the run with more room "
                    "for it",
                    schema_tables[name].name,
                    (long long)recorder->tables[name].capacity);
}

/* Skips columns that the layout does not have (z in 2D). */
static enum status append(struct recorder *recorder, enum table_name name,
                          const void *const *values, size_t count,
                          struct error *error)
{
    struct table *table = &recorder->tables[name];
    enum status status = STATUS_OK;
    if (recorder->follows)
        return STATUS_OK;
    if (table->rows >= table->capacity)
        return full(recorder, name, error);
    for (size_t i = 0; i < count && !status; i++) {
        struct column *column = &table->columns[i];
        if (column->item)
            status = column_append(recorder, column, values[i],
                                   element_bytes(column->item->variable.type),
                                   error);
    }
    if (!status)
        table->rows++;
    return status;
}

enum status recorder_emission(struct recorder *recorder, int wave, int64_t step,
                              size_t cell, struct error *error)
{
    int32_t which = wave;
    int at[GRID_AXES];
    grid_cell(&recorder->grid, cell, at);
    const void *values[] = { &which, &step, &at[0], &at[1], &at[2] };
    return append(recorder, EMISSIONS, values, 5, error);
}

enum status recorder_arrival(struct recorder *recorder,
                             const struct recorded_arrival *arrival,
                             struct error *error)
{
    int32_t agent = arrival->agent, wave = arrival->wave;
    const int8_t quantity = (int8_t)arrival->quantity;
    const double *gradient = arrival->gradient, *heading = arrival->heading;
    const void *values[] = {
        &agent,       &wave,        &arrival->step, &arrival->amplitude,
        &gradient[0], &gradient[1], &gradient[2],   &heading[0],
        &heading[1],  &heading[2],  &quantity
    };
    return append(recorder, ARRIVALS, values, 11, error);
}

enum status recorder_capture(struct recorder *recorder, int agent, int target,
                             int64_t step, struct error *error)
{
    int32_t who = agent, whom = target;
    const void *values[] = { &who, &whom, &step };
    return append(recorder, CAPTURES, values, 3, error);
}

static enum status append_path(struct recorder *recorder,
                               const struct recorded_plan *plan,
                               struct error *error)
{
    const struct column *x = &recorder->plan_cells[0];
    uint64_t left = (x->item->bytes - x->end) / sizeof(int32_t);
    if (plan->path_cells > left)
        return error_at(error, STATUS_DISK, recorder->path, 0,
                        "/plans is full at %lld path cells: record the run "
                        "with more room for it",
                        (long long)x->item->variable.extent[0]);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < plan->path_cells && !status; i++) {
        int at[GRID_AXES];
        grid_cell(&recorder->grid, (size_t)plan->path[i], at);
        for (int axis = 0; axis < GRID_AXES && !status; axis++)
            if (recorder->plan_cells[axis].item)
                status = column_append(recorder, &recorder->plan_cells[axis],
                                       &at[axis], sizeof at[axis], error);
    }
    return status;
}

enum status recorder_plan(struct recorder *recorder,
                          const struct recorded_plan *plan, struct error *error)
{
    const struct table *table = &recorder->tables[PLANS];
    int32_t agent = plan->agent, row_size = (int32_t)plan->path_cells;
    const void *values[] = { &agent, &plan->step, &plan->expansions,
                             &plan->nanoseconds, &row_size };
    if (table->rows >= table->capacity)
        return full(recorder, PLANS, error);
    enum status status = append_path(recorder, plan, error);
    return status ? status : append(recorder, PLANS, values, 5, error);
}
