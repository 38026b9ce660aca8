/* SPDX-License-Identifier: MIT */
#include "view/events.h"

#include "base/memory.h"
#include "recording/read/tables.h"
#include "words/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const event_kind_names[EVENT_KINDS + 1] = {
    [EVENT_MAP] = "map",         [EVENT_TARGET] = "target",
    [EVENT_SENT] = "sent",       [EVENT_ARRIVAL] = "arrival",
    [EVENT_START] = "start",     [EVENT_STUCK] = "stuck",
    [EVENT_CAPTURE] = "capture",
};

static const char axis_letters[] = "xyz";

struct gathering {
    const struct recording *recording;
    struct events *events;
    size_t room;
};

/* Without its text. A step that is not possible is left out: tables have no
 * checksums. */
static enum status add(struct gathering *gathering, enum event_kind kind,
                       double step, int agent, int wave, struct error *error)
{
    static const double step_most = 1e15;
    struct events *events = gathering->events;
    if (!(step >= 0 && step <= step_most))
        return STATUS_OK;
    struct event *more = memory_more(events->event, events->count,
                                     &gathering->room, sizeof *more);
    if (!more)
        return error_memory(error);
    events->event = more;
    more[events->count++] = (struct event){
        .step = (int64_t)step, .kind = kind, .agent = agent, .wave = wave
    };
    return STATUS_OK;
}

/* ---- tables ---- */

enum { COLUMNS_MOST = 10 };

/* Columns of a table, in the order of `names`; those of z in 3D only. */
struct columns {
    size_t rows, count;
    double *column[COLUMNS_MOST];
};

static enum status read_columns(const struct recording *recording,
                                const char *table, const char *const *names,
                                struct columns *columns, struct error *error)
{
    int64_t rows = recording_table_rows(recording, table);
    *columns = (struct columns){ .rows = rows > 0 ? (size_t)rows : 0 };
    enum status status = STATUS_OK;
    for (; columns->rows && *names && !status; names++)
        if (!strstr(*names, "_z") || recording_grid(recording)->dims == 3)
            status =
                table_column_read(recording, *names, columns->rows,
                                  &columns->column[columns->count++], error);
    return status;
}

static void release_columns(struct columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        memory_release(columns->column[i]);
}

static enum status add_emissions(struct gathering *gathering,
                                 struct error *error)
{
    struct emission_row *rows = NULL;
    size_t count = 0;
    if (!recording_table_rows(gathering->recording, "emissions"))
        return STATUS_OK;
    enum status status =
        emissions_read(gathering->recording, &rows, &count, error);
    for (size_t i = 0; i < count && !status; i++)
        status = add(gathering, EVENT_SENT, (double)rows[i].step, -1,
                     rows[i].wave, error);
    memory_release(rows);
    return status;
}

/* An arrival that was lost to underflow has only zeros. */
static bool is_lost(const struct columns *columns, size_t row)
{
    for (size_t i = 3; i < columns->count; i++)
        if (columns->column[i][row] != 0)
            return false;
    return true;
}

static enum status add_arrivals(struct gathering *gathering,
                                struct error *error)
{
    static const char *const names[] = { "arrivals/agent",
                                         "arrivals/step",
                                         "arrivals/wave",
                                         "arrivals/amplitude",
                                         "arrivals/gradient_x",
                                         "arrivals/gradient_y",
                                         "arrivals/gradient_z",
                                         "arrivals/heading_x",
                                         "arrivals/heading_y",
                                         "arrivals/heading_z",
                                         NULL };
    const struct events *events = gathering->events;
    struct columns columns;
    bool *arrived = memory_new(events->agents + 1, sizeof *arrived);
    enum status status =
        read_columns(gathering->recording, "arrivals", names, &columns, error);
    if (!arrived)
        status = error_memory(error);
    for (size_t i = 0; i < columns.rows && !status; i++) {
        double agent = columns.column[0][i];
        if (!(agent >= 0 && agent < (double)events->agents) ||
            arrived[(size_t)agent] || is_lost(&columns, i))
            continue;
        arrived[(size_t)agent] = true;
        status = add(gathering, EVENT_ARRIVAL, columns.column[1][i], (int)agent,
                     (int)columns.column[2][i], error);
    }
    release_columns(&columns);
    memory_release(arrived);
    return status;
}

static enum status add_captures(struct gathering *gathering,
                                struct error *error)
{
    static const char *const names[] = { "captures/agent", "captures/step",
                                         NULL };
    struct columns columns;
    enum status status =
        read_columns(gathering->recording, "captures", names, &columns, error);
    const double *agents = columns.column[0], *steps = columns.column[1];
    for (size_t i = 0; agents && steps && i < columns.rows && !status; i++)
        if (agents[i] >= 0 && agents[i] < (double)gathering->events->agents)
            status = add(gathering, EVENT_CAPTURE, steps[i], (int)agents[i], -1,
                         error);
    release_columns(&columns);
    return status;
}

/* ---- rows ---- */

/* From one row's states to the next's. */
static enum status add_changes(struct gathering *gathering, const double *state,
                               size_t agents, int64_t step, struct error *error)
{
    int *before = gathering->events->state;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < agents && !status; i++) {
        int now = (int)state[i];
        bool first = before[i] == AGENT_WAITING;
        if (now == AGENT_MOVING && (first || before[i] == AGENT_STUCK))
            status =
                add(gathering, EVENT_START, (double)step, (int)i, -1, error);
        if (now == AGENT_STUCK && before[i] != AGENT_STUCK)
            status =
                add(gathering, EVENT_STUCK, (double)step, (int)i, -1, error);
        before[i] = now;
    }
    return status;
}

static enum status add_states(struct gathering *gathering, struct error *error)
{
    const struct recording *recording = gathering->recording;
    const struct variable *variable = recording_find(recording, "agents/state");
    size_t agents = variable ? variable_elements(variable) : 0;
    if (agents > gathering->events->agents)
        agents = 0;
    double *state = memory_new(agents + 1, sizeof *state);
    enum status status = state ? STATUS_OK : error_memory(error);
    int64_t rows = agents ? recording_rows(recording) : 0;
    for (int64_t row = 0; row < rows && !status; row++) {
        status = recording_read_real(recording, variable, row, state, error);
        if (!status)
            status = add_changes(gathering, state, agents,
                                 recording_steps(recording)[row], error);
    }
    memory_release(state);
    return status;
}

/* The first row in which a coordinate differs from the first row's; `rows` if
 * there is none. */
static int64_t first_other(const double *series, int64_t rows)
{
    int64_t row = 0;
    while (row < rows && series[row] == series[0])
        row++;
    return row;
}

static enum status add_target(struct gathering *gathering, struct error *error)
{
    const struct recording *recording = gathering->recording;
    int64_t rows = recording_rows(recording), first = rows;
    double *series = memory_new((size_t)rows + 1, sizeof *series);
    enum status status = series ? STATUS_OK : error_memory(error);
    for (int axis = 0; axis < GRID_AXES && !status; axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "target/%c", axis_letters[axis]);
        const struct variable *variable = recording_find(recording, name);
        if (!variable)
            continue;
        status = recording_read_series(recording, variable, 0, series, error);
        if (!status)
            first = first_other(series, first);
    }
    if (!status && first < rows)
        status = add(gathering, EVENT_TARGET,
                     (double)recording_steps(recording)[first], -1, -1, error);
    memory_release(series);
    return status;
}

/* The versions of the map up to the last row. */
static enum status add_versions(struct gathering *gathering,
                                struct error *error)
{
    const struct recording *recording = gathering->recording;
    int64_t rows = recording_rows(recording);
    const struct variable *variable = recording_find(recording, "version_step");
    if (!variable || rows == 0)
        return STATUS_OK;
    size_t versions =
        recording_version_at(recording, recording_steps(recording)[rows - 1]);
    double *step = memory_new(variable_elements(variable), sizeof *step);
    enum status status =
        step ? recording_read_real(recording, variable, 0, step, error)
             : error_memory(error);
    for (size_t i = 1; i <= versions && !status; i++)
        status = add(gathering, EVENT_MAP, step[i], -1, -1, error);
    memory_release(step);
    return status;
}

/* ---- names and order ---- */

static enum status read_names(struct gathering *gathering, struct error *error)
{
    const struct recording *recording = gathering->recording;
    struct events *events = gathering->events;
    const struct variable *x = recording_find(recording, "agents/x");
    const struct variable *capture =
        recording_find(recording, "captures/agent");
    events->agents = x         ? variable_elements(x)
                     : capture ? variable_elements(capture)
                               : 0;
    events->name = memory_new(events->agents + 1, sizeof *events->name);
    events->state = memory_new(events->agents + 1, sizeof *events->state);
    enum status status =
        events->name && events->state ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < events->agents && !status; i++) {
        snprintf(events->name[i], sizeof events->name[i], "agent %zu", i);
        if (x)
            status = recording_agent_text(recording, "agents/name", i,
                                          events->name[i],
                                          sizeof events->name[i], error);
    }
    return status;
}

static void write_text(const struct events *events, struct event *event)
{
    enum { NAME_MOST = EVENT_TEXT_SIZE - 32 };
    const char *name = event->agent < 0 ? "" : events->name[event->agent];
    char *text = event->text;
    switch (event->kind) {
    case EVENT_MAP:
        snprintf(text, EVENT_TEXT_SIZE, _("the map changes"));
        break;
    case EVENT_TARGET:
        snprintf(text, EVENT_TEXT_SIZE, _("the target moves"));
        break;
    case EVENT_SENT:
        snprintf(text, EVENT_TEXT_SIZE, "wave %d is sent", event->wave);
        break;
    case EVENT_ARRIVAL:
        snprintf(text, EVENT_TEXT_SIZE, "wave %d arrives at %.*s", event->wave,
                 NAME_MOST, name);
        break;
    case EVENT_START:
        snprintf(text, EVENT_TEXT_SIZE, "%.*s walks", NAME_MOST, name);
        break;
    case EVENT_STUCK:
        snprintf(text, EVENT_TEXT_SIZE, "%.*s is stuck", NAME_MOST, name);
        break;
    default:
        snprintf(text, EVENT_TEXT_SIZE, "%.*s captures", NAME_MOST, name);
    }
}

static int compare_events(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->wave != b->wave)
        return a->wave < b->wave ? -1 : 1;
    return (a->agent > b->agent) - (a->agent < b->agent);
}

enum status events_read(const struct recording *recording,
                        struct events *events, struct error *error)
{
    static enum status (*const sources[])(struct gathering * gathering,
                                          struct error * error) = {
        read_names,   add_versions, add_target,   add_emissions,
        add_arrivals, add_states,   add_captures,
    };
    struct gathering gathering = { .recording = recording, .events = events };
    *events = (struct events){ 0 };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof sources / sizeof *sources && !status; i++)
        status = sources[i](&gathering, error);
    if (status || !events->count)
        return status;
    for (size_t i = 0; i < events->count; i++)
        write_text(events, &events->event[i]);
    qsort(events->event, events->count, sizeof *events->event, compare_events);
    return STATUS_OK;
}

void events_release(struct events *events)
{
    memory_release(events->event);
    memory_release(events->name);
    memory_release(events->state);
    *events = (struct events){ 0 };
}

int events_newest_wave(const struct events *events, int64_t step)
{
    int wave = -1;
    for (size_t i = 0; i < events->count && events->event[i].step <= step; i++)
        if (events->event[i].kind == EVENT_SENT)
            wave = events->event[i].wave;
    return wave;
}
