/* SPDX-License-Identifier: MIT */
/* What a recording is asked once, when it is opened. */
#include "recording/recording_parts.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VERSIONS_MAX = 1 << 20, PIECE = 512 };

/* An axis of cells counts up by one; its first value is where it lies. */
static enum status read_axis(const struct recording *recording,
                             const char *name, double *low, struct error *error)
{
    const struct layout_item *item = layout_find(&recording->layout, name);
    double values[PIECE];
    int64_t extent = item->variable.extent[0];
    for (int64_t first = 0; first < extent; first += PIECE) {
        int64_t count = extent - first < PIECE ? extent - first : PIECE;
        enum status status =
            read_bytes(recording, item, (uint64_t)first * sizeof *values,
                       (size_t)count * sizeof *values, values, error);
        if (status)
            return status;
        if (first == 0)
            *low = values[0];
        for (int64_t i = 0; i < count; i++)
            if (!(values[i] == *low + (double)(first + i)))
                return damaged(recording, name, "does not count cells", error);
    }
    if (!(*low >= 0 && *low + (double)extent <= INT_MAX && *low == floor(*low)))
        return damaged(recording, name, "does not count cells", error);
    return STATUS_OK;
}

static enum status make_grid(struct recording *recording,
                             const int64_t extent[GRID_AXES],
                             struct error *error)
{
    struct error why;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (extent[axis] > INT_MAX)
            return damaged(recording, "x", "is too long for a map", error);
    if (grid_make(recording->shape.parts & PART_DEPTH ? 3 : 2, (int)extent[0],
                  (int)extent[1], (int)extent[2], &recording->grid, &why))
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "not a readable recording: %.800s", why.message);
    return STATUS_OK;
}

enum status read_axes(struct recording *recording, struct error *error)
{
    const struct shape *shape = &recording->shape;
    bool world = shape->parts & PART_WORLD;
    int dims = shape->parts & PART_DEPTH ? 3 : 2;
    int64_t extent[GRID_AXES] = { 1, 1, 1 };
    for (int axis = 0; axis < dims; axis++)
        extent[axis] =
            world ? shape->world[axis] : shape->length[AXIS_X - axis];
    enum status status = make_grid(recording, extent, error);
    for (int axis = 0; axis < dims && !status; axis++) {
        char name[VARIABLE_NAME_SIZE];
        double low = 0, origin = 0;
        snprintf(name, sizeof name, "world/%c", "xyz"[axis]);
        if (world)
            status = read_axis(recording, name, &origin, error);
        if (!status)
            status = read_axis(recording, name + 6, &low, error);
        if (status)
            break;
        int64_t high = (int64_t)low + shape->length[AXIS_X - axis] - 1;
        if (origin != 0 || high >= extent[axis])
            return damaged(recording, name + 6, "does not lie in the map",
                           error);
        recording->region.low[axis] = (int)low;
        recording->region.high[axis] = (int)high;
    }
    return status;
}

static enum status read_mark(const struct recording *recording,
                             const char *name, int64_t most, int64_t *value,
                             struct error *error)
{
    char path[VARIABLE_NAME_SIZE];
    snprintf(path, sizeof path, "status/%s", name);
    const struct layout_item *item = layout_find(&recording->layout, path);
    enum status status =
        read_bytes(recording, item, 0, sizeof *value, value, error);
    if (!status && (*value < 0 || *value > most))
        return damaged(recording, path, "is more than there is room for",
                       error);
    return status;
}

static const char *const table_names[] = { "arrivals", "emissions", "captures",
                                           "plans" };
static const enum axis table_axes[] = { AXIS_ARRIVAL, AXIS_EMISSION,
                                        AXIS_CAPTURE, AXIS_PLAN };
enum { TABLE_COUNT = 4 };

/* Rows that a table has room for. */
static int64_t table_room(const struct recording *recording, int table)
{
    static const enum part parts[] = { PART_ARRIVALS, PART_EMISSIONS,
                                       PART_CAPTURES, PART_PLANS };
    return recording->shape.parts & parts[table]
               ? recording->shape.length[table_axes[table]]
               : 0;
}

enum status read_marks(struct recording *recording, struct error *error)
{
    const struct shape *shape = &recording->shape;
    int64_t state = 0;
    /* The state first: a run that ends meanwhile has then marked its rows. */
    enum status status =
        read_mark(recording, "state", RUN_DIVERGED, &state, error);
    recording->state = (enum run_state)state;
    if (!status)
        status = read_mark(recording, "committed", shape->length[AXIS_TIME],
                           &recording->rows, error);
    for (int t = 0; t < TABLE_COUNT && !status; t++)
        status = read_mark(recording, table_names[t], table_room(recording, t),
                           &recording->table_rows[t], error);
    return status;
}

/* Whole numbers from 0 on that grow. */
static enum status read_growing(const struct recording *recording,
                                const char *name, int64_t count, int64_t **made,
                                struct error *error)
{
    const struct layout_item *item = layout_find(&recording->layout, name);
    int64_t *values = memory_new((size_t)count, sizeof *values);
    if (!values)
        return error_memory(error);
    enum status status = read_bytes(
        recording, item, 0, (size_t)count * sizeof *values, values, error);
    int64_t last = -1;
    for (int64_t i = 0; i < count && !status; i++) {
        double value; /* read as it is stored, turned in place */
        memcpy(&value, (char *)values + (size_t)i * sizeof value, sizeof value);
        if (!(value > (double)last && value < 9e15 && value == floor(value)))
            status = damaged(recording, name,
                             "does not hold steps in rising order", error);
        else
            values[i] = last = (int64_t)value;
    }
    if (status)
        memory_release(values);
    else
        *made = values;
    return status;
}

/* The step of a row of a table; -1 where the row is not used yet. */
static enum status table_step(const struct recording *recording, int table,
                              int64_t row, int64_t *step, struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "%s/step", table_names[table]);
    return read_bytes(recording, layout_find(&recording->layout, name),
                      (uint64_t)row * sizeof *step, sizeof *step, step, error);
}

/* While a run goes on, and after a power cut, the tables' counts may be those
 * of the commit before or of the one to come: they stand in the file beside
 * /status/committed, and not in one page with it. What belongs to the rows
 * committed was durable before they were; more may not have come whole. */
static enum status settle_table(struct recording *recording, int table,
                                int64_t last, struct error *error)
{
    int64_t *rows = &recording->table_rows[table], before = *rows, step = -1;
    int64_t room = table_room(recording, table);
    enum status status = STATUS_OK;
    for (; *rows < room && !status; ++*rows) {
        status = table_step(recording, table, *rows, &step, error);
        if (step < 0 || step > last)
            break;
    }
    for (; *rows > 0 && *rows <= before && !status; --*rows) {
        status = table_step(recording, table, *rows - 1, &step, error);
        if (step <= last)
            break;
    }
    return status;
}

static enum status settle_tables(struct recording *recording,
                                 struct error *error)
{
    int64_t last = recording->rows ? recording->steps[recording->rows - 1] : -1;
    enum status status = STATUS_OK;
    for (int t = 0; t < TABLE_COUNT && !status; t++)
        status = settle_table(recording, t, last, error);
    return status;
}

enum status read_steps(struct recording *recording, struct error *error)
{
    int64_t versions = recording->shape.length[AXIS_VERSION];
    if (versions > VERSIONS_MAX)
        return damaged(recording, "version", "is too long", error);
    enum status status = read_growing(recording, "time", recording->rows,
                                      &recording->steps, error);
    if (!status)
        status = read_growing(recording, "version_step", versions,
                              &recording->version_steps, error);
    if (status)
        return status;
    recording->versions = (size_t)versions;
    if (recording->version_steps[0] != 0)
        return damaged(recording, "version_step", "does not start at 0", error);
    return recording->state == RUN_RUNNING ? settle_tables(recording, error)
                                           : STATUS_OK;
}

int64_t recording_table_rows(const struct recording *recording,
                             const char *table)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        if (strcmp(table_names[t], table) == 0)
            return recording->table_rows[t];
    return 0;
}
