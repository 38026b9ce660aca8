/* SPDX-License-Identifier: MIT */
/* The columns of the table that say with what a run was made: the varied keys,
 * then those of --set. What was typed does not tell: a group may be set behind
 * one of its keys, and a path has more spellings than one. */
#include "sweep.h"

#include "base/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text, size_t length)
{
    char *made = memory_new(length + 1, 1);
    if (made)
        memcpy(made, text, length);
    return made;
}

/* A key's column, named "set.KEY" where something else has that name. */
static enum status name_column(struct sweep_column *column, const char *key,
                               size_t length, struct error *error)
{
    static const char prefix[] = "set.";
    column->key = copy(key, length);
    column->name = memory_new(sizeof prefix + length, 1);
    if (!column->key || !column->name)
        return error_memory(error);
    bool taken = false;
    for (int m = 0; m < METRICS; m++)
        taken = taken || strcmp(metrics[m].name, column->key) == 0;
    snprintf(column->name, sizeof prefix + length, "%s%s", taken ? prefix : "",
             column->key);
    return STATUS_OK;
}

static bool has_column(const struct sweep_table *table, const char *key,
                       size_t length)
{
    for (size_t c = 0; c < table->column_count; c++) {
        const char *other = table->columns[c].key;
        if (strlen(other) == length && memcmp(other, key, length) == 0)
            return true;
    }
    return false;
}

static enum status add_column(struct sweep_table *table, const char *key,
                              size_t length, size_t axis, struct error *error)
{
    size_t count = table->column_count;
    struct sweep_column *more =
        memory_grow(table->columns, count, count + 1, sizeof *table->columns);
    if (!more)
        return error_memory(error);
    table->columns = more;
    struct sweep_column *column = &more[table->column_count++];
    *column = (struct sweep_column){ .axis = axis };
    column->texts = memory_new(table->sweep->grid.runs, sizeof(char *));
    if (!column->texts)
        return error_memory(error);
    return name_column(column, key, length, error);
}

/* Of a key, or of each that any run has below a group. */
static enum status add_columns(struct sweep_table *table, const char *key,
                               size_t axis, struct error *error)
{
    const struct sweep *sweep = table->sweep;
    struct parameter parameter;
    enum status status = STATUS_OK;
    for (size_t run = 0; run < sweep->grid.runs; run++) {
        const char *text = sweep->runs[run].parameters;
        while (!status && text && parameters_next(&text, &parameter))
            if (sweep_key_holds(key, parameter.key, parameter.key_length) &&
                !has_column(table, parameter.key, parameter.key_length))
                status = add_column(table, parameter.key, parameter.key_length,
                                    axis, error);
    }
    return status;
}

/* Is `given`, which may be relative to the scenario, this file? */
static bool names_file(const struct sweep *sweep, const char *given,
                       const char *file)
{
    char joined[PATH_MAX], real[PATH_MAX];
    const char *slash = strrchr(sweep->scenario, '/');
    int folder =
        slash && *given != '/' ? (int)(slash + 1 - sweep->scenario) : 0;
    int length = snprintf(joined, sizeof joined, "%.*s%s", folder,
                          sweep->scenario, given);
    return length > 0 && length < PATH_MAX && realpath(joined, real) &&
           strcmp(real, file) == 0;
}

/* The value of a key that a run was made with, "" where it has none. From
 * memory_new, or NULL. */
static char *value_of(const char *parameters, const char *key)
{
    struct parameter parameter;
    size_t length = strlen(key);
    while (parameters_next(&parameters, &parameter))
        if (parameter.key_length == length &&
            memcmp(parameter.key, key, length) == 0)
            return copy(parameter.value, parameter.value_length);
    return memory_text("");
}

/* NULL without memory. */
static char *text_in(const struct sweep *sweep, size_t run, const char *key)
{
    const char *parameters = sweep->runs[run].parameters;
    char *value = parameters ? value_of(parameters, key) : NULL;
    bool file = strcmp(key, "map.file") == 0;
    if (parameters && (!value || !file))
        return value;
    char *given = sweep_given(sweep, run, key);
    if (!parameters || (given && names_file(sweep, given, value))) {
        memory_release(value);
        return given;
    }
    memory_release(given);
    return value;
}

static enum status fill(const struct sweep *sweep, struct sweep_column *column,
                        struct error *error)
{
    for (size_t run = 0; run < sweep->grid.runs; run++) {
        column->texts[run] = text_in(sweep, run, column->key);
        if (!column->texts[run])
            return error_memory(error);
    }
    return STATUS_OK;
}

enum status sweep_columns_make(struct sweep_table *table, struct error *error)
{
    const struct sweep *sweep = table->sweep;
    const struct sweep_grid *grid = &sweep->grid;
    enum status status = STATUS_OK;
    for (size_t axis = 0; axis < grid->axis_count && !status; axis++)
        status = add_columns(table, grid->axes[axis].key, axis, error);
    for (size_t i = 0; i < sweep->set_count && !status; i++) {
        const char *set = sweep->set[i];
        char *key = sweep_key(set, strcspn(set, "="));
        status = key ? add_columns(table, key, grid->axis_count, error)
                     : error_memory(error);
        memory_release(key);
    }
    for (size_t c = 0; c < table->column_count && !status; c++)
        status = fill(sweep, &table->columns[c], error);
    return status;
}

void sweep_columns_release(struct sweep_table *table)
{
    for (size_t c = 0; c < table->column_count; c++) {
        struct sweep_column *column = &table->columns[c];
        for (size_t i = 0; column->texts && i < table->sweep->grid.runs; i++)
            memory_release(column->texts[i]);
        memory_release(column->texts);
        memory_release(column->name);
        memory_release(column->key);
    }
    memory_release(table->columns);
}
