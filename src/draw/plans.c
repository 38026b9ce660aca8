/* SPDX-License-Identifier: MIT */
#include "draw/plans.h"

#include "base/memory.h"
#include "recording/tables.h"

/* The paths' beginnings from their lengths. */
static enum status find_paths(const struct recording *recording,
                              struct plans *plans, struct error *error)
{
    double *sizes = NULL;
    plans->first = memory_new((size_t)plans->count + 1, sizeof *plans->first);
    enum status status =
        plans->first ? table_column_read(recording, "plans/row_size",
                                         (size_t)plans->count, &sizes, error)
                     : error_memory(error);
    for (int64_t i = 0; i < plans->count && !status; i++) {
        if (!(sizes[i] >= 0))
            status = error_at(error, STATUS_INPUT, recording_path(recording), 0,
                              "plans/row_size: %g cells of a path", sizes[i]);
        else
            plans->first[i + 1] = plans->first[i] + (size_t)sizes[i];
    }
    memory_release(sizes);
    return status;
}

/* Paths run over cells that there are. */
static enum status check_cells(const struct recording *recording,
                               const struct plans *plans, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < grid->dims; axis++)
        for (size_t i = 0; i < plans->first[plans->count]; i++) {
            double at = plans->cell[axis][i];
            if (!(at >= 0 && at < extent[axis]))
                return error_at(error, STATUS_INPUT, recording_path(recording),
                                0, "plans/%c: cell %g is outside the map",
                                "xyz"[axis], at);
        }
    return STATUS_OK;
}

enum status plans_read(const struct recording *recording, struct plans *plans,
                       struct error *error)
{
    static const char *const names[] = { "plans/x", "plans/y", "plans/z" };
    *plans =
        (struct plans){ .count = recording_table_rows(recording, "plans") };
    if (plans->count < 1) {
        plans->count = 0;
        return STATUS_OK;
    }
    enum status status = table_column_read(
        recording, "plans/agent", (size_t)plans->count, &plans->agent, error);
    if (!status)
        status = table_column_read(recording, "plans/step",
                                   (size_t)plans->count, &plans->step, error);
    if (!status)
        status = find_paths(recording, plans, error);
    int dims = recording_grid(recording)->dims;
    for (int axis = 0; axis < dims && !status; axis++)
        status = table_column_read(recording, names[axis],
                                   plans->first[plans->count],
                                   &plans->cell[axis], error);
    return status ? status : check_cells(recording, plans, error);
}

void plans_release(struct plans *plans)
{
    memory_release(plans->agent);
    memory_release(plans->step);
    memory_release(plans->first);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(plans->cell[axis]);
    *plans = (struct plans){ 0 };
}

int64_t plans_find(const struct plans *plans, int agent, int64_t step)
{
    for (int64_t i = plans->count - 1; i >= 0; i--)
        if ((int)plans->agent[i] == agent && plans->step[i] <= (double)step)
            return i;
    return -1;
}
