/* SPDX-License-Identifier: MIT */
/* From a recording to what its metrics are functions of. */
#include "metrics.h"

#include "base/memory.h"
#include "geodesic.h"
#include "metrics_reach.h"
#include "recording/tables.h"

#include <math.h>
#include <stdio.h>

#define DEGREES (180 / 3.14159265358979323846)

/* What is open while a recording is measured. */
struct reading {
    const struct recording *recording;
    struct measured *measured;
    struct geodesic geodesic;
    struct emission_row *emissions;
    size_t emission_count;
    double target[GRID_AXES]; /* where it starts */
    bool has_target;
};

/* The walkers' positions in a row, (axis, agent); false where the recording
 * has none. */
static enum status read_places(const struct recording *recording,
                               const char *group, int64_t row, double *at,
                               size_t count, bool *there, struct error *error)
{
    enum status status = STATUS_OK;
    *there = true;
    for (int axis = 0; axis < recording_grid(recording)->dims && !status;
         axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "%s/%c", group, 'x' + axis);
        const struct variable *variable = recording_find(recording, name);
        *there = variable && variable->by_row &&
                 variable_elements(variable) == count;
        if (!*there)
            return STATUS_OK;
        status = recording_read_real(recording, variable, row,
                                     at + (size_t)axis * count, error);
    }
    return status;
}

/* Agents come in entries of `count`, all of one speed. */
static void read_speeds(struct reading *reading)
{
    struct measured *measured = reading->measured;
    size_t agent = 0;
    for (int entry = 0; agent < measured->agent_count; entry++) {
        char key[64];
        snprintf(key, sizeof key, "agents.[%d].speed", entry);
        double speed = recording_setting_real(reading->recording, key, NAN);
        snprintf(key, sizeof key, "agents.[%d].count", entry);
        double count = recording_setting_real(reading->recording, key, 1);
        do
            measured->agents[agent++].speed = speed;
        while (agent < measured->agent_count && --count >= 1);
    }
}

/* Adds every agent's way from row to row. */
static enum status walk(struct reading *reading, struct error *error)
{
    struct measured *measured = reading->measured;
    size_t count = measured->agent_count;
    double *now = memory_new(count, GRID_AXES * sizeof(double));
    double *before = memory_new(count, GRID_AXES * sizeof(double));
    enum status status = now && before ? STATUS_OK : error_memory(error);
    bool there = true;
    for (int64_t row = 0;
         !status && there && row < recording_rows(reading->recording); row++) {
        status = read_places(reading->recording, "agents", row, now, count,
                             &there, error);
        for (size_t i = 0; row && there && i < count; i++) {
            double moved[GRID_AXES];
            for (size_t axis = 0; axis < GRID_AXES; axis++)
                moved[axis] = now[axis * count + i] - before[axis * count + i];
            measured->agents[i].path_length +=
                sqrt(moved[0] * moved[0] + moved[1] * moved[1] +
                     moved[2] * moved[2]);
        }
        double *swap = now;
        now = before;
        before = swap;
    }
    for (size_t i = 0; !there && i < count; i++)
        measured->agents[i].path_length = NAN;
    memory_release(now);
    memory_release(before);
    return status;
}

static enum status measure_distances(struct reading *reading,
                                     struct error *error)
{
    struct measured *measured = reading->measured;
    size_t count = measured->agent_count;
    bool there = false;
    double *at = memory_new(count, GRID_AXES * sizeof(double));
    enum status status = at ? STATUS_OK : error_memory(error);
    if (!status && reading->has_target)
        status = read_places(reading->recording, "agents", 0, at, count, &there,
                             error);
    const struct grid *grid = &reading->geodesic.grid;
    if (!status && there)
        geodesic_solve(&reading->geodesic, grid_nearest(grid, reading->target));
    for (size_t i = 0; !status && there && i < count; i++) {
        double start[GRID_AXES] = { at[i], at[count + i], at[2 * count + i] };
        measured->agents[i].geodesic =
            geodesic_distance(&reading->geodesic, grid_nearest(grid, start));
    }
    memory_release(at);
    return status;
}

/* Several columns of a table; *rows are those in use. */
static enum status read_table(const struct recording *recording,
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

static struct measured_agent *agent_of(const struct reading *reading,
                                       double number)
{
    return number >= 0 && number < (double)reading->measured->agent_count
               ? &reading->measured->agents[(size_t)number]
               : NULL;
}

static enum status read_captures(struct reading *reading, struct error *error)
{
    static const char *const names[] = { "agent", "step" };
    double *column[2] = { NULL };
    size_t rows;
    enum status status = read_table(reading->recording, "captures", names, 2,
                                    column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        struct measured_agent *agent = agent_of(reading, column[0][i]);
        if (agent && agent->captured < 0)
            agent->captured = (int64_t)column[1][i];
    }
    memory_release(column[0]);
    memory_release(column[1]);
    return status;
}

/* The emission that a generation of the wave belongs to, or NULL. */
static const struct emission_row *emission_of(const struct reading *reading,
                                              int wave, int64_t step)
{
    const struct emission_row *found = NULL;
    for (size_t i = 0; i < reading->emission_count; i++)
        if (reading->emissions[i].wave == wave &&
            reading->emissions[i].step < step)
            found = &reading->emissions[i];
    return found;
}

/* Degrees between a heading and the exact path's. The agent stood where the
 * row before the arrival has it: arrivals are found before agents move. */
static enum status heading_error(struct reading *reading, size_t who,
                                 const struct emission_row *emission,
                                 int64_t step, const double heading[GRID_AXES],
                                 double *degrees, struct error *error)
{
    size_t count = reading->measured->agent_count;
    int64_t row;
    *degrees = NAN;
    if (recording_row_of(reading->recording, step - 1, &row, NULL))
        return STATUS_OK;
    double *at = memory_new(count, GRID_AXES * sizeof(double));
    if (!at)
        return error_memory(error);
    bool there;
    enum status status = read_places(reading->recording, "agents", row, at,
                                     count, &there, error);
    double place[GRID_AXES] = { at[who], at[count + who], at[2 * count + who] };
    double true_one[GRID_AXES], dot = 0, cross[GRID_AXES];
    memory_release(at);
    geodesic_solve(&reading->geodesic, emission->cell);
    if (status || !there ||
        !geodesic_direction(&reading->geodesic, place, true_one))
        return status;
    for (int i = 0; i < GRID_AXES; i++) {
        int j = (i + 1) % GRID_AXES, k = (i + 2) % GRID_AXES;
        dot += heading[i] * true_one[i];
        cross[i] = heading[j] * true_one[k] - heading[k] * true_one[j];
    }
    *degrees = DEGREES * atan2(sqrt(cross[0] * cross[0] + cross[1] * cross[1] +
                                    cross[2] * cross[2]),
                               dot);
    return STATUS_OK;
}

static enum status read_arrivals(struct reading *reading, struct error *error)
{
    static const char *const names[] = {
        "agent", "wave", "step", "heading_x", "heading_y", "heading_z"
    };
    int columns = 3 + grid_axes(&reading->geodesic.grid);
    double *column[6] = { NULL };
    size_t rows;
    enum status status = read_table(reading->recording, "arrivals", names,
                                    columns, column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        struct measured_agent *agent = agent_of(reading, column[0][i]);
        if (!agent || agent->arrivals++)
            continue;
        int64_t step = (int64_t)column[2][i];
        const struct emission_row *emission =
            emission_of(reading, (int)column[1][i], step);
        if (!emission)
            continue;
        double heading[GRID_AXES] = { column[3][i], column[4][i],
                                      column[5] ? column[5][i] : 0 };
        agent->first_arrival = (double)(step - emission->step);
        status = heading_error(reading, (size_t)column[0][i], emission, step,
                               heading, &agent->arrival_error, error);
    }
    for (int i = 0; i < columns; i++)
        memory_release(column[i]);
    return status;
}

static enum status read_plans(struct reading *reading, struct error *error)
{
    static const char *const names[] = { "agent", "expansions", "nanoseconds" };
    double *column[3] = { NULL };
    size_t rows;
    enum status status =
        read_table(reading->recording, "plans", names, 3, column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        struct measured_agent *agent = agent_of(reading, column[0][i]);
        if (!agent)
            continue;
        agent->plans++;
        agent->expansions += column[1][i];
        agent->nanoseconds += column[2][i];
    }
    for (int i = 0; i < 3; i++)
        memory_release(column[i]);
    return status;
}

/* A recording without methods, another program's, has one, without a name. */
static enum status read_methods(struct reading *reading, struct error *error)
{
    struct measured *measured = reading->measured;
    enum status status = STATUS_OK;
    if (!recording_find(reading->recording, "agents/method"))
        return STATUS_OK;
    for (size_t i = 0; i < measured->agent_count && !status; i++)
        status = recording_agent_text(reading->recording, "agents/method", i,
                                      measured->agents[i].method,
                                      MEASURED_METHOD_SIZE, error);
    return status;
}

static enum status read_agents(struct reading *reading, struct error *error)
{
    struct measured *measured = reading->measured;
    const struct variable *x = recording_find(reading->recording, "agents/x");
    measured->agent_count = x ? variable_elements(x) : 0;
    measured->agents =
        memory_new(measured->agent_count, sizeof *measured->agents);
    if (!measured->agents)
        return error_memory(error);
    for (size_t i = 0; i < measured->agent_count; i++)
        measured->agents[i] = (struct measured_agent){
            .geodesic = NAN,
            .captured = -1,
            .first_arrival = NAN,
            .arrival_error = NAN,
        };
    read_speeds(reading);
    enum status status =
        read_places(reading->recording, "target", 0, reading->target, 1,
                    &reading->has_target, error);
    if (!status)
        status = read_methods(reading, error);
    if (!status)
        status = walk(reading, error);
    if (!status)
        status = measure_distances(reading, error);
    if (!status)
        status = read_captures(reading, error);
    return status;
}

enum status measured_init(struct measured *measured,
                          const struct recording *recording,
                          struct error *error)
{
    struct reading reading = { .recording = recording, .measured = measured };
    int64_t rows = recording_rows(recording);
    *measured = (struct measured){ .steps = -1, .far_cells = -1 };
    if (rows == 0)
        return STATUS_OK;
    measured->steps = recording_steps(recording)[rows - 1];
    enum status status = geodesic_init(&reading.geodesic, recording, 0, error);
    if (!status)
        status = emissions_read(recording, &reading.emissions,
                                &reading.emission_count, error);
    if (!status)
        status = read_agents(&reading, error);
    if (!status)
        status = read_arrivals(&reading, error);
    if (!status)
        status = read_plans(&reading, error);
    if (!status)
        status = measure_reach(recording, &reading.geodesic, reading.emissions,
                               reading.emission_count, measured, error);
    memory_release(reading.emissions);
    geodesic_release(&reading.geodesic);
    return status;
}

void measured_release(struct measured *measured)
{
    memory_release(measured->agents);
    *measured = (struct measured){ 0 };
}
