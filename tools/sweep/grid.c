/* SPDX-License-Identifier: MIT */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/need.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *option_of(const struct sweep_axis *axis)
{
    return axis->zipped ? "--zip" : "--vary";
}

static enum status axis_take(struct sweep_axis *axis, const char *value,
                             size_t length, struct error *error)
{
    if (axis->count == SWEEP_MOST_RUNS)
        return error_set(error, STATUS_INPUT, "%s %s: more than %d values",
                         option_of(axis), axis->key, SWEEP_MOST_RUNS);
    char *text = need_format("%.*s", (int)length, value);
    axis->values =
        need_grow(axis->values, axis->count, axis->count + 1, sizeof(char *));
    axis->values[axis->count++] = text;
    for (size_t i = 0; i + 1 < axis->count && !axis->zipped; i++)
        if (strcmp(axis->values[i], text) == 0)
            return error_set(error, STATUS_INPUT,
                             "%s %s: the value %s is given twice",
                             option_of(axis), axis->key, text);
    return STATUS_OK;
}

/* Reads `A:B` or `A:STEP:B`; returns whether it is a range. */
static bool is_range(const char *text, size_t length, double numbers[3],
                     bool *whole)
{
    char copy[128];
    if (length >= sizeof copy || !memchr(text, ':', length))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (copy[strspn(copy, "+-.:0123456789eE")])
        return false;
    *whole = !strpbrk(copy, ".eE");
    char *at = copy, *end;
    int count = 0;
    for (; count < 3; at = end + 1) {
        numbers[count++] = strtod(at, &end);
        if (end == at || (*end && *end != ':'))
            return false;
        if (!*end)
            break;
    }
    if (*end || count < 2)
        return false;
    if (count == 2) {
        numbers[2] = numbers[1];
        numbers[1] = 1;
    }
    return true;
}

/* Every number of a range: the i-th is A + i·STEP, printed with 15 digits, so
 * that 0.1:0.1:0.5 has 0.3 in it. */
static enum status take_range(struct sweep_axis *axis, const double numbers[3],
                              bool whole, struct error *error)
{
    double first = numbers[0], step = numbers[1], last = numbers[2];
    double count = floor((last - first) / step + 1e-9) + 1;
    if (!(step > 0) || !(last >= first) || !(count <= SWEEP_MOST_RUNS) ||
        (whole && !(fabs(first) <= 0x1p53 && fabs(last) <= 0x1p53)))
        return error_set(error, STATUS_INPUT,
                         "%s %s: a range A:STEP:B needs A <= B, STEP > 0 "
                         "and at most %d values",
                         option_of(axis), axis->key, SWEEP_MOST_RUNS);
    enum status status = STATUS_OK;
    for (double i = 0; i < count && !status; i++) {
        char text[40];
        double value = first + i * step;
        if (whole)
            snprintf(text, sizeof text, "%" PRId64, (int64_t)value);
        else
            snprintf(text, sizeof text, "%.15g", value);
        status = axis_take(axis, text, strlen(text), error);
    }
    return status;
}

/* Bytes up to the comma that ends this value, or to the end of the text;
 * SIZE_MAX if a quote or bracket is not closed. */
static size_t value_length(const char *text)
{
    int depth = 0;
    bool quoted = false;
    const char *at = text;
    for (; *at && (quoted || depth || *at != ','); at++) {
        if (quoted && *at == '\\' && at[1])
            at++;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted && strchr("([{", *at))
            depth++;
        else if (!quoted && strchr(")]}", *at) && depth)
            depth--;
    }
    return quoted || depth ? SIZE_MAX : (size_t)(at - text);
}

static enum status take_values(struct sweep_axis *axis, const char *text,
                               struct error *error)
{
    for (;; text++) {
        double numbers[3];
        bool whole;
        size_t length = value_length(text);
        if (length == SIZE_MAX)
            return error_set(error, STATUS_INPUT,
                             "%s %s: a quote or bracket is not closed: %s",
                             option_of(axis), axis->key, text);
        if (length == 0)
            return error_set(error, STATUS_INPUT,
                             "%s %s: a value is empty; \"\" is an empty "
                             "text",
                             option_of(axis), axis->key);
        enum status status = is_range(text, length, numbers, &whole)
                                 ? take_range(axis, numbers, whole, error)
                                 : axis_take(axis, text, length, error);
        text += length;
        if (status || !*text)
            return status;
    }
}

char *sweep_key(const char *path, size_t length)
{
    char *key = need_memory(2 * length + 1, 1), *out = key;
    for (size_t i = 0; i < length; i++) {
        bool index = i > 0 && path[i - 1] == '[';
        if (path[i] == '[' && out > key && out[-1] != '.')
            *out++ = '.';
        if (i > 0 && path[i - 1] == ']' && path[i] != '.' && path[i] != '[')
            *out++ = '.';
        while (index && path[i] == '0' && i + 1 < length &&
               isdigit((unsigned char)path[i + 1]))
            i++;
        *out++ = path[i];
    }
    return key;
}

bool sweep_key_holds(const char *key, const char *other, size_t length)
{
    size_t whole = strlen(key);
    return length >= whole && memcmp(key, other, whole) == 0 &&
           (length == whole || other[whole] == '.');
}

/* A value of the new axis would replace an earlier one's. */
static enum status check_axis(const struct sweep_grid *grid,
                              struct error *error)
{
    const struct sweep_axis *axis = &grid->axes[grid->axis_count - 1];
    for (size_t i = 0; i + 1 < grid->axis_count; i++) {
        const char *before = grid->axes[i].key;
        if (strcmp(before, axis->key) == 0)
            return error_set(error, STATUS_INPUT, "%s %s is given twice",
                             option_of(axis), axis->key);
        if (sweep_key_holds(axis->key, before, strlen(before)))
            return error_set(error, STATUS_INPUT,
                             "%s %s would overwrite %s, which is varied before "
                             "it; give --vary %s first",
                             option_of(axis), axis->key, before, axis->key);
    }
    return STATUS_OK;
}

/* Adds an axis without counting its runs. */
static enum status add_axis(struct sweep_grid *grid, const char *text,
                            bool zipped, struct error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return error_set(error, STATUS_INPUT,
                         "--%s '%s': KEY=V1,V2,... is required",
                         zipped ? "zip" : "vary", text);
    grid->axes = need_grow(grid->axes, grid->axis_count, grid->axis_count + 1,
                           sizeof *grid->axes);
    struct sweep_axis *axis = &grid->axes[grid->axis_count++];
    axis->zipped = zipped;
    axis->key = sweep_key(text, (size_t)(equals - text));
    enum status status = check_axis(grid, error);
    return status ? status : take_values(axis, equals + 1, error);
}

static enum status count_runs(struct sweep_grid *grid, size_t values,
                              struct error *error)
{
    grid->runs = (grid->runs ? grid->runs : 1) * values;
    if (grid->runs > SWEEP_MOST_RUNS)
        return error_set(error, STATUS_INPUT,
                         "--vary: %zu runs; at most %d are allowed", grid->runs,
                         SWEEP_MOST_RUNS);
    return STATUS_OK;
}

enum status sweep_grid_add(struct sweep_grid *grid, const char *vary,
                           struct error *error)
{
    enum status status = add_axis(grid, vary, false, error);
    return status ? status
                  : count_runs(grid, grid->axes[grid->axis_count - 1].count,
                               error);
}

static bool are_same(const struct sweep_axis *axes, size_t count, size_t i,
                     size_t k)
{
    for (size_t axis = 0; axis < count; axis++)
        if (strcmp(axes[axis].values[i], axes[axis].values[k]) != 0)
            return false;
    return true;
}

/* Zipped axes must have equally many values, and no combination twice. */
static enum status check_zip(const struct sweep_axis *axes, size_t count,
                             struct error *error)
{
    for (size_t axis = 1; axis < count; axis++)
        if (axes[axis].count != axes[0].count)
            return error_set(error, STATUS_INPUT,
                             "--zip %s has %zu values, and --zip %s has %zu; "
                             "give both the same number of values",
                             axes[0].key, axes[0].count, axes[axis].key,
                             axes[axis].count);
    for (size_t i = 0; i < axes[0].count; i++)
        for (size_t k = 0; k < i; k++)
            if (are_same(axes, count, i, k))
                return error_set(error, STATUS_INPUT,
                                 "--zip %s: values %zu and %zu of all keys "
                                 "are the same",
                                 axes[0].key, k + 1, i + 1);
    return STATUS_OK;
}

enum status sweep_grid_zip(struct sweep_grid *grid, const struct cli_list *zip,
                           struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < zip->count && !status; i++)
        status = add_axis(grid, zip->items[i], true, error);
    if (status || zip->count == 0)
        return status;
    const struct sweep_axis *first = &grid->axes[grid->axis_count - zip->count];
    status = check_zip(first, zip->count, error);
    return status ? status : count_runs(grid, first->count, error);
}

void sweep_grid_release(struct sweep_grid *grid)
{
    for (size_t i = 0; i < grid->axis_count; i++) {
        for (size_t j = 0; j < grid->axes[i].count; j++)
            memory_release(grid->axes[i].values[j]);
        memory_release(grid->axes[i].values);
        memory_release(grid->axes[i].key);
    }
    memory_release(grid->axes);
    *grid = (struct sweep_grid){ 0 };
}

/* Is the axis zipped with the one before it? */
static bool follows(const struct sweep_grid *grid, size_t axis)
{
    return axis > 0 && grid->axes[axis].zipped && grid->axes[axis - 1].zipped;
}

void sweep_zipped(const struct sweep_grid *grid, size_t axis, size_t *first,
                  size_t *end)
{
    *first = axis;
    *end = axis + 1;
    while (follows(grid, *first))
        --*first;
    while (*end < grid->axis_count && follows(grid, *end))
        ++*end;
}

/* The distance in runs between two values of the axis. */
static size_t stride_of(const struct sweep_grid *grid, size_t axis)
{
    size_t stride = 1;
    for (size_t i = grid->axis_count; i-- > axis + 1;)
        if (!follows(grid, i))
            stride *= grid->axes[i].count;
    return stride;
}

size_t sweep_value_number(const struct sweep_grid *grid, size_t run,
                          size_t axis)
{
    return run / stride_of(grid, axis) % grid->axes[axis].count;
}

size_t sweep_first_run(const struct sweep_grid *grid, size_t run, size_t axis)
{
    return run - sweep_value_number(grid, run, axis) * stride_of(grid, axis);
}

size_t sweep_axis_of(const struct sweep_grid *grid, const char *key)
{
    char *path = sweep_key(key, strlen(key));
    size_t axis = 0;
    while (axis < grid->axis_count && strcmp(grid->axes[axis].key, path) != 0)
        axis++;
    memory_release(path);
    return axis;
}

void sweep_grid_order(struct sweep_grid *grid, const char *value)
{
    for (size_t axis = 0; axis < grid->axis_count; axis++) {
        size_t first, end, placed = 0;
        sweep_zipped(grid, axis, &first, &end);
        for (size_t i = 0; i < grid->axes[axis].count; i++) {
            if (strcmp(grid->axes[axis].values[i], value) != 0)
                continue;
            for (size_t a = first; a < end; a++) {
                char **values = grid->axes[a].values, *moved = values[i];
                memmove(&values[placed + 1], &values[placed],
                        (i - placed) * sizeof *values);
                values[placed] = moved;
            }
            placed++;
        }
    }
}

const char *sweep_value(const struct sweep_grid *grid, size_t run, size_t axis)
{
    return grid->axes[axis].values[sweep_value_number(grid, run, axis)];
}

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t value, const char *text)
{
    do
        value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return value;
}

/* Appends safe bytes unchanged, and others as %XX. Stops when the name is full;
 * returns whether all were appended. */
static bool append(char name[SWEEP_NAME_SIZE], const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    size_t used = strlen(name);
    for (; *text; text++) {
        bool plain = strchr(safe, *text);
        if (used + (plain ? 1 : 3) >= SWEEP_NAME_SIZE)
            return false;
        if (plain)
            name[used++] = *text;
        else
            used += (size_t)snprintf(name + used, 4, "%%%02X",
                                     (unsigned)(unsigned char)*text);
        name[used] = '\0';
    }
    return true;
}

void sweep_name(const struct sweep_grid *grid, size_t run,
                char name[SWEEP_NAME_SIZE])
{
    enum { TAIL = 17 }; /* ~ and 16 hexadecimal digits */
    bool whole = true;
    uint64_t number = UINT64_C(0xcbf29ce484222325);
    memset(name, 0, SWEEP_NAME_SIZE);
    for (size_t axis = 0; axis < grid->axis_count; axis++) {
        const char *value = sweep_value(grid, run, axis);
        const char *const pieces[] = { axis ? "," : "", grid->axes[axis].key,
                                       "=", value };
        for (int i = 0; i < 4; i++) {
            number = hash(number, pieces[i]);
            size_t used = strlen(name), length = strlen(pieces[i]);
            if (i % 2)
                whole = whole && append(name, pieces[i]);
            else if (whole && (whole = used + length < SWEEP_NAME_SIZE))
                memcpy(name + used, pieces[i], length + 1);
        }
    }
    if (!whole) {
        size_t used = strlen(name);
        if (used > SWEEP_NAME_SIZE - 1 - TAIL)
            used = SWEEP_NAME_SIZE - 1 - TAIL;
        snprintf(name + used, TAIL + 1, "~%016" PRIx64, number);
    }
}
