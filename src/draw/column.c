/* SPDX-License-Identifier: MIT */
#include "draw/column.h"

#include "base/memory.h"

enum status column_read(const struct recording *recording, const char *name,
                        int64_t rows, double **column, struct error *error)
{
    const struct variable *variable = recording_find(recording, name);
    if (!variable || variable_elements(variable) < (size_t)rows)
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "%s: is not there whole", name);
    *column = memory_new(variable_elements(variable), sizeof **column);
    if (!*column)
        return error_memory(error);
    return recording_read_real(recording, variable, 0, *column, error);
}
