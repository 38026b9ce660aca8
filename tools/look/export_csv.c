/* SPDX-License-Identifier: MIT */
#include "base/csv.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/real.h"
#include "cli/interrupt.h"
#include "recording/read/tables.h"
#include "tools/look/export.h"
#include "view/plans.h"
#include "view/tracks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const export_tables[] = {
    "trajectories", "arrivals", "captures", "emissions", "plans", "paths", NULL
};

/* A column of a table: its name in the header, and whether it has whole
 * numbers. `@` stands for the letters of the grid's axes. */
struct column {
    const char *name, *unit;
    bool real;
};

enum { COLUMNS_MOST = 16 };

static const struct table {
    const char *name;
    struct column columns[8]; /* ends with a NULL name */
} tables[] = {
    { "arrivals",
      { { "agent", NULL, false },
        { "wave", NULL, false },
        { "step", "generations", false },
        { "amplitude", "1", true },
        { "gradient_@", "per cell", true },
        { "heading_@", "1", true },
        { "quantity", NULL, false } } },
    { "captures",
      { { "agent", NULL, false },
        { "target", NULL, false },
        { "step", "generations", false } } },
    { "emissions",
      { { "wave", NULL, false },
        { "step", "generations", false },
        { "@", "cells", false } } },
    { "plans",
      { { "agent", NULL, false },
        { "step", "generations", false },
        { "expansions", "cells", false },
        { "nanoseconds", "ns", false },
        { "row_size", "cells", false } } },
};

static const struct table *find_table(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].name, name) == 0)
            return &tables[i];
    return NULL;
}

/* Written as a word. */
static bool is_quantity(const struct column *column)
{
    return strcmp(column->name, "quantity") == 0;
}

/* The columns, with one for each axis in place of `@`; returns their number. */
static int spell(const struct recording *recording, const struct table *table,
                 char names[COLUMNS_MOST][VARIABLE_NAME_SIZE],
                 const struct column *columns[COLUMNS_MOST])
{
    const int dims = recording_grid(recording)->dims;
    int count = 0;
    for (const struct column *column = table->columns; column->name; column++) {
        const char *at = strchr(column->name, '@');
        char path[2 * VARIABLE_NAME_SIZE];
        snprintf(path, sizeof path, "%s/%s", table->name, column->name);
        if (is_quantity(column) && !recording_find(recording, path))
            continue; /* an earlier Hamon's recording */
        for (int axis = 0; axis < (at ? dims : 1); axis++, count++) {
            snprintf(names[count], VARIABLE_NAME_SIZE, "%s", column->name);
            if (at)
                names[count][at - column->name] = "xyz"[axis];
            columns[count] = column;
        }
    }
    return count;
}

static void put_header(FILE *file, const char *name, const char *unit,
                       const char *before)
{
    fprintf(file, "%s%s", before, name);
    if (unit)
        fprintf(file, " [%s]", unit);
}

/* The data of a table. */
struct source {
    const struct recording *recording;
    int64_t rows;
    int step; /* the column of the step, −1 */
    double *values[COLUMNS_MOST];
};

/* During a run, rows after its last committed step do not exist. */
static bool exists(const struct source *source, int64_t row)
{
    const struct recording *recording = source->recording;
    if (source->step < 0 || recording_state(recording) != RUN_RUNNING)
        return true;
    int64_t rows = recording_rows(recording);
    return rows > 0 && source->values[source->step][row] <=
                           (double)recording_steps(recording)[rows - 1];
}

/* The name of an agent after its number; empty if there is none. */
static void put_name(FILE *file, const struct recording *recording,
                     double agent)
{
    char name[TRACK_NAME_SIZE] = "";
    const struct variable *names = recording_find(recording, "agents/name");
    fputc(',', file);
    if (names && agent >= 0 && agent < (double)names->extent[0] &&
        !recording_agent_text(recording, "agents/name", (size_t)agent, name,
                              sizeof name, NULL))
        csv_text(file, name);
}

static bool is_agent(const struct column *column)
{
    return strcmp(column->name, "agent") == 0;
}

static void put_cell(FILE *file, const struct source *source,
                     const struct column *column, int i, int64_t row)
{
    double value = source->values[i][row];
    if (i)
        fputc(',', file);
    if (is_quantity(column) && value >= 0 && value < QUANTITIES)
        fputs(arrival_quantity_names[(int)value], file);
    else if (column->real)
        fputs(REAL_TEXT(value), file);
    else
        fprintf(file, "%.0f", value);
    if (is_agent(column))
        put_name(file, source->recording, value);
}

static enum status write_table(const struct recording *recording,
                               const struct table *table, FILE *file,
                               struct error *error)
{
    char names[COLUMNS_MOST][VARIABLE_NAME_SIZE];
    const struct column *columns[COLUMNS_MOST];
    const int count = spell(recording, table, names, columns);
    struct source source = {
        .recording = recording,
        .rows = recording_table_rows(recording, table->name),
        .step = -1,
    };
    enum status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        char path[2 * VARIABLE_NAME_SIZE];
        snprintf(path, sizeof path, "%s/%.*s", table->name,
                 VARIABLE_NAME_SIZE - 1, names[i]);
        put_header(file, names[i], columns[i]->unit, i ? "," : "");
        if (is_agent(columns[i]))
            fputs(",name", file);
        status = table_column_read(recording, path, (size_t)source.rows,
                                   &source.values[i], error);
        source.step = strcmp(names[i], "step") ? source.step : i;
    }
    fputc('\n', file);
    for (int64_t row = 0; row < source.rows && !status; row++) {
        if (!exists(&source, row))
            continue;
        for (int i = 0; i < count; i++)
            put_cell(file, &source, columns[i], i, row);
        fputc('\n', file);
    }
    for (int i = 0; i < count; i++)
        memory_release(source.values[i]);
    return status;
}

static const char *const state_names[] = { "waiting", "moving", "captured",
                                           "stuck" };

static enum status read_states(const struct recording *recording,
                               const char *name, int64_t row, double *states,
                               struct error *error)
{
    const struct variable *variable = recording_find(recording, name);
    return variable
               ? recording_read_real(recording, variable, row, states, error)
               : STATUS_OK;
}

static void put_state(FILE *file, double state)
{
    if (state >= 0 && state < 4)
        fprintf(file, ",%s\n", state_names[(int)state]);
    else
        fprintf(file, ",%.0f\n", state);
}

static void put_place(FILE *file, const struct track *track, int dims,
                      int64_t row)
{
    fprintf(file, ",%d,", track->number);
    csv_text(file, track->name);
    for (int axis = 0; axis < dims; axis++)
        fprintf(file, ",%s", REAL_TEXT(track->at[axis][row]));
    for (int axis = 0; axis < dims; axis++)
        fprintf(file, ",%s", REAL_TEXT(track->heading[axis][row]));
}

/* A line for each agent and row; agent −1 is the target. */
static enum status write_trajectories(const struct recording *recording,
                                      FILE *file, struct error *error)
{
    struct tracks tracks;
    int dims = recording_grid(recording)->dims;
    enum status status = tracks_read(recording, recording_rows(recording), NULL,
                                     0, &tracks, error);
    double *states = need_memory(tracks.count + 1, sizeof *states), target = 0;
    fputs("step [generations],agent,name", file);
    for (int axis = 0; axis < dims; axis++)
        fprintf(file, ",%c [cells]", "xyz"[axis]);
    for (int axis = 0; axis < dims; axis++)
        fprintf(file, ",heading_%c [1]", "xyz"[axis]);
    fputs(",state\n", file);
    for (int64_t row = 0; row < tracks.rows && !status; row++) {
        status = interrupt_check(error);
        if (!status)
            status = read_states(recording, "agents/state", row, states, error);
        if (!status)
            status =
                read_states(recording, "target/state", row, &target, error);
        for (size_t i = 0; i < tracks.count && !status; i++) {
            int number = tracks.track[i].number;
            fprintf(file, "%" PRId64, recording_steps(recording)[row]);
            put_place(file, &tracks.track[i], dims, row);
            put_state(file, number < 0 ? target : states[number]);
        }
    }
    memory_release(states);
    tracks_release(&tracks);
    return status;
}

/* A line for each cell of each planned path. */
static enum status write_paths(const struct recording *recording, FILE *file,
                               struct error *error)
{
    struct plans plans;
    int dims = recording_grid(recording)->dims;
    enum status status = plans_read(recording, &plans, error);
    fputs("plan,agent,name,step [generations],cell", file);
    for (int axis = 0; axis < dims; axis++)
        fprintf(file, ",%c [cells]", "xyz"[axis]);
    fputc('\n', file);
    for (int64_t plan = 0; plan < plans.count && !status; plan++)
        for (size_t i = plans.first[plan]; i < plans.first[plan + 1]; i++) {
            fprintf(file, "%" PRId64 ",%.0f", plan, plans.agent[plan]);
            put_name(file, recording, plans.agent[plan]);
            fprintf(file, ",%.0f,%zu", plans.step[plan], i - plans.first[plan]);
            for (int axis = 0; axis < dims; axis++)
                fprintf(file, ",%.0f", plans.cell[axis][i]);
            fputc('\n', file);
        }
    plans_release(&plans);
    return status;
}

bool export_has_table(const struct recording *recording, const char *table)
{
    if (strcmp(table, "trajectories") == 0)
        return recording_find(recording, "agents/x") ||
               recording_find(recording, "target/x");
    if (strcmp(table, "paths") == 0)
        table = "plans";
    return recording_table_rows(recording, table) > 0;
}

enum status export_csv(const struct recording *recording, const char *table,
                       const char *path, bool force, struct error *error)
{
    struct output output;
    enum status status = output_open(&output, path, force, error);
    if (status)
        return status;
    const struct table *stored = find_table(table);
    if (stored)
        status = write_table(recording, stored, output.file, error);
    else if (strcmp(table, "paths") == 0)
        status = write_paths(recording, output.file, error);
    else
        status = write_trajectories(recording, output.file, error);
    if (!status)
        status = interrupt_check(error);
    if (!status)
        status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}
