/* SPDX-License-Identifier: MIT */
/* The columns of the table that say with what a run was made: the varied keys,
 * then those of --set. */
#include "sweep.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A character of a text in double quotes, at *at, which goes on behind it. */
static char unescape(const char **at)
{
    static const char escapes[] = "n\nr\rt\tf\fa\ab\bv\v";
    const char *c = *at;
    *at += 1;
    if (*c != '\\' || !c[1])
        return *c;
    *at += 1;
    if (c[1] == 'x') {
        const char digits[3] = { c[2], c[2] ? c[3] : '\0', '\0' };
        char *end;
        char byte = (char)strtoul(digits, &end, 16);
        *at += end - digits;
        return byte;
    }
    for (const char *e = escapes; *e; e += 2)
        if (*e == c[1])
            return e[1];
    return c[1];
}

char *sweep_value_text(const char *value)
{
    static const char blank[] = " \t\n";
    value += strspn(value, blank);
    char *text = memory_text(value), *out = text;
    if (!text || *value != '"')
        return text;
    /* Texts behind each other are one. */
    for (const char *at = value; *at == '"';) {
        for (at++; *at && *at != '"';)
            *out++ = unescape(&at);
        if (*at != '"')
            break;
        at++;
        at += strspn(at, blank);
        if (!*at) {
            *out = '\0';
            return text;
        }
    }
    memcpy(text, value, strlen(value) + 1); /* no text: as it was typed */
    return text;
}

/* A key's column, named "set.KEY" where something else has that name. */
static enum status name_column(struct sweep_column *column, const char *key,
                               size_t length, struct error *error)
{
    static const char prefix[] = "set.";
    column->name = memory_new(sizeof prefix + length, 1);
    if (!column->name)
        return error_memory(error);
    memcpy(column->name, key, length);
    for (int m = 0; m < METRICS; m++)
        if (strcmp(metrics[m].name, column->name) == 0) {
            memcpy(column->name, prefix, sizeof prefix - 1);
            memcpy(column->name + sizeof prefix - 1, key, length);
            break;
        }
    return STATUS_OK;
}

static enum status take_texts(struct sweep_column *column,
                              const char *const *values, size_t count,
                              struct error *error)
{
    column->texts = memory_new(count, sizeof *column->texts);
    if (!column->texts)
        return error_memory(error);
    for (; column->count < count; column->count++) {
        column->texts[column->count] = sweep_value_text(values[column->count]);
        if (!column->texts[column->count])
            return error_memory(error);
    }
    return STATUS_OK;
}

/* Does a later --set, or a varied key, take the place of the i-th --set? */
static bool is_overridden(const struct sweep *sweep, size_t i, size_t length)
{
    const char *set = sweep->set[i];
    for (size_t later = i + 1; later < sweep->set_count; later++)
        if (strncmp(sweep->set[later], set, length + 1) == 0)
            return true;
    for (size_t axis = 0; axis < sweep->grid.axis_count; axis++) {
        const char *key = sweep->grid.axes[axis].key;
        if (strlen(key) == length && strncmp(key, set, length) == 0)
            return true;
    }
    return false;
}

enum status sweep_columns_make(struct sweep_table *table, struct error *error)
{
    const struct sweep *sweep = table->sweep;
    const struct sweep_grid *grid = &sweep->grid;
    table->columns =
        memory_new(grid->axis_count + sweep->set_count, sizeof *table->columns);
    enum status status = table->columns ? STATUS_OK : error_memory(error);
    for (size_t axis = 0; axis < grid->axis_count && !status; axis++) {
        const struct sweep_axis *from = &grid->axes[axis];
        struct sweep_column *column = &table->columns[table->column_count++];
        status = name_column(column, from->key, strlen(from->key), error);
        if (!status)
            status = take_texts(column, (const char *const *)from->values,
                                from->count, error);
    }
    for (size_t i = 0; i < sweep->set_count && !status; i++) {
        const char *set = sweep->set[i];
        size_t length = strcspn(set, "=");
        if (!set[length] || is_overridden(sweep, i, length))
            continue;
        struct sweep_column *column = &table->columns[table->column_count++];
        const char *value = set + length + 1;
        status = name_column(column, set, length, error);
        if (!status)
            status = take_texts(column, &value, 1, error);
    }
    return status;
}

void sweep_columns_release(struct sweep_table *table)
{
    for (size_t c = 0; c < table->column_count; c++) {
        struct sweep_column *column = &table->columns[c];
        for (size_t i = 0; i < column->count; i++)
            memory_release(column->texts[i]);
        memory_release(column->texts);
        memory_release(column->name);
    }
    memory_release(table->columns);
}

const char *sweep_column_text(const struct sweep_table *table, size_t run,
                              size_t column)
{
    const struct sweep_grid *grid = &table->sweep->grid;
    size_t value =
        column < grid->axis_count ? sweep_value_number(grid, run, column) : 0;
    return table->columns[column].texts[value];
}
