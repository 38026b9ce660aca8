/* SPDX-License-Identifier: MIT */
#include "recording/read/tables.h"

#include "base/memory.h"

#include <stdio.h>

enum status table_column_read(const struct recording *recording,
                              const char *name, size_t rows, double **column,
                              struct error *error)
{
    const struct variable *variable = recording_find(recording, name);
    if (!variable || variable_elements(variable) < rows)
        return error_set(
            error, STATUS_INPUT, "%s: %s: %s", recording_path(recording), name,
            variable ? "is shorter than /status says" : "is missing");
    *column = memory_new(variable_elements(variable), sizeof **column);
    if (!*column)
        return error_memory(error);
    return recording_read_real(recording, variable, 0, *column, error);
}

enum status table_columns_read(const struct recording *recording,
                               const char *table, const char *const *names,
                               int columns, double **column, size_t *rows,
                               struct error *error)
{
    int64_t used = recording_table_rows(recording, table);
    *rows = used > 0 ? (size_t)used : 0;
    enum status status = STATUS_OK;
    for (int i = 0; i < columns && *rows && !status; i++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "%s/%s", table, names[i]);
        status = table_column_read(recording, name, *rows, &column[i], error);
    }
    return status;
}

static enum status fill_emission(const struct recording *recording,
                                 double *const column[5], size_t i,
                                 struct emission_row *row, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    double at[GRID_AXES] = { column[2][i], column[3][i],
                             column[4] ? column[4][i] : 0 };
    double waves = recording_waves(recording);
    if (waves == 0) /* no waves are recorded, but they ran */
        waves = recording_setting_real(recording, "wave.count", 0);
    bool good = column[0][i] >= 0 && column[0][i] < waves && column[1][i] >= 0;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < GRID_AXES; axis++)
        good = good && at[axis] >= 0 && at[axis] < extent[axis];
    if (!good)
        return error_set(error, STATUS_INPUT,
                         "%s: emissions: row %zu is not a wave, a step and a "
                         "cell of the map",
                         recording_path(recording), i);
    row->wave = (int)column[0][i];
    row->step = (int64_t)column[1][i];
    row->cell = grid_index(grid, (int)at[0], (int)at[1], (int)at[2]);
    return STATUS_OK;
}

enum status emissions_read(const struct recording *recording,
                           struct emission_row **rows, size_t *count,
                           struct error *error)
{
    static const char *const names[] = { "wave", "step", "x", "y", "z" };
    double *column[5] = { NULL };
    int columns = recording_grid(recording)->dims == 3 ? 5 : 4;
    enum status status = table_columns_read(recording, "emissions", names,
                                            columns, column, count, error);
    *rows = status ? NULL : memory_new(*count, sizeof **rows);
    if (!status && !*rows)
        status = error_memory(error);
    for (size_t i = 0; i < *count && !status; i++)
        status = fill_emission(recording, column, i, &(*rows)[i], error);
    for (int i = 0; i < columns; i++)
        memory_release(column[i]);
    if (status) {
        memory_release(*rows);
        *rows = NULL;
    }
    return status;
}
