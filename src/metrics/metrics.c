/* SPDX-License-Identifier: MIT */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/need.h"
#include "metrics/geodesic.h"
#include "recording/read/tables.h"
#include "view/arrival_run.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- how far a wave came ---- */

/* Does the recording have the first arrivals, or rows from which they can be
 * derived: those of the whole map at every step? */
static bool has_arrivals(const struct recording *recording)
{
    if (recording_find(recording, "wave0_arrival"))
        return true;
    struct arrival_settings settings;
    struct box region = recording_region(recording);
    struct box whole = grid_box(recording_grid(recording));
    bool all = recording_setting_real(recording, "record.every", 0) == 1;
    for (int axis = 0; axis < GRID_AXES; axis++)
        all = all && region.low[axis] == whole.low[axis] &&
              region.high[axis] == whole.high[axis];
    return all && recording_find(recording, "wave0") &&
           !arrival_settings_of(recording, &settings, NULL);
}

/* The first arrivals of wave 0 over the recorded region, −1 never. */
static enum status read_field(const struct recording *recording, double *field,
                              struct error *error)
{
    const struct variable *variable =
        recording_find(recording, "wave0_arrival");
    if (variable)
        return recording_read_real(recording, variable, 0, field, error);
    struct view_place place = { .axis = -1 };
    struct view *view;
    enum status status =
        view_open(recording, "arrival", 0, &place, &view, error);
    if (status)
        return status;
    status = view_derive_arrival(view, field, error);
    view_release(view);
    return status;
}

/* Counts the cells of the region that are farther than 3 from the source of
 * wave 0's first emission, and those of them at which it arrived, into
 * measured->far_cells and far_reached; −1 if the recording lacks the data.
 * Solves the geodesic anew. */
static enum status measure_reach(const struct recording *recording,
                                 struct geodesic *geodesic,
                                 const struct emission_row *emissions,
                                 size_t count, struct measured *measured,
                                 struct error *error)
{
    measured->far_cells = measured->far_reached = -1;
    const struct emission_row *first = NULL;
    for (size_t i = count; i-- > 0;)
        if (emissions[i].wave == 0)
            first = &emissions[i];
    if (!first || !has_arrivals(recording))
        return STATUS_OK;
    struct box region = recording_region(recording);
    struct grid part = { .dims = geodesic->grid.dims,
                         .nx = region.high[0] - region.low[0] + 1,
                         .ny = region.high[1] - region.low[1] + 1,
                         .nz = region.high[2] - region.low[2] + 1 };
    size_t cells = grid_cells(&part);
    double *field = need_memory(cells, sizeof *field);
    enum status status = read_field(recording, field, error);
    geodesic_solve(geodesic, first->cell);
    measured->far_cells = measured->far_reached = 0;
    for (size_t i = 0; i < cells && !status; i++) {
        int at[GRID_AXES];
        grid_cell(&part, i, at);
        double distance = geodesic_distance(
            geodesic, grid_index(&geodesic->grid, at[0] + region.low[0],
                                 at[1] + region.low[1], at[2] + region.low[2]));
        if (!(distance > 3) || isinf(distance))
            continue;
        measured->far_cells++;
        measured->far_reached += field[i] >= 0;
    }
    memory_release(field);
    return status;
}

/* ---- agents ---- */

#define DEGREES (180 / 3.14159265358979323846)

/* The walkers' positions in a row, (axis, agent); false if the recording has
 * none. */
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

/* Each entry has `count` agents, all of one speed. */
void measured_speeds(const struct recording *recording, double *speeds,
                     size_t agents)
{
    size_t agent = 0;
    for (int entry = 0; agent < agents; entry++) {
        char key[64];
        snprintf(key, sizeof key, "agents.[%d].speed", entry);
        double speed = recording_setting_real(recording, key, NAN);
        snprintf(key, sizeof key, "agents.[%d].count", entry);
        double count = recording_setting_real(recording, key, 1);
        do
            speeds[agent++] = speed;
        while (agent < agents && --count >= 1);
    }
}

/* Every agent's start, and its path from row to row; a NAN path if positions
 * are not recorded. */
static enum status walk(const struct recording *recording,
                        struct measured *measured, struct error *error)
{
    size_t count = measured->agent_count;
    double *now = need_memory(count, GRID_AXES * sizeof(double));
    double *before = need_memory(count, GRID_AXES * sizeof(double));
    enum status status = STATUS_OK;
    bool there = true;
    for (int64_t row = 0; !status && there && row < recording_rows(recording);
         row++) {
        status =
            read_places(recording, "agents", row, now, count, &there, error);
        for (size_t i = 0; there && i < count; i++) {
            struct measured_agent *agent = &measured->agents[i];
            double moved[GRID_AXES];
            for (size_t axis = 0; axis < GRID_AXES; axis++) {
                double at = now[axis * count + i];
                agent->start[axis] = row ? agent->start[axis] : at;
                moved[axis] = row ? at - before[axis * count + i] : 0;
            }
            agent->path_length +=
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

static void measure_distances(struct measured *measured,
                              struct geodesic *geodesic)
{
    const struct grid *grid = &geodesic->grid;
    if (!measured->has_target || measured->agent_count == 0)
        return;
    geodesic_solve(geodesic, grid_nearest(grid, measured->target));
    for (size_t i = 0; i < measured->agent_count; i++) {
        struct measured_agent *agent = &measured->agents[i];
        if (!isnan(agent->path_length))
            agent->geodesic =
                geodesic_distance(geodesic, grid_nearest(grid, agent->start));
    }
}

enum status measured_table(const struct recording *recording, const char *table,
                           const char *const *names, int columns,
                           double **column, size_t *rows, struct error *error)
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

static struct measured_agent *agent_of(const struct measured *measured,
                                       double number)
{
    return number >= 0 && number < (double)measured->agent_count
               ? &measured->agents[(size_t)number]
               : NULL;
}

static enum status read_captures(const struct recording *recording,
                                 struct measured *measured, struct error *error)
{
    static const char *const names[] = { "agent", "step" };
    double *column[2] = { NULL };
    size_t rows;
    enum status status =
        measured_table(recording, "captures", names, 2, column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        struct measured_agent *agent = agent_of(measured, column[0][i]);
        if (agent && agent->captured < 0)
            agent->captured = (int64_t)column[1][i];
    }
    memory_release(column[0]);
    memory_release(column[1]);
    return status;
}

/* A recording of another program, without methods, has one method without a
 * name. */
static enum status read_methods(const struct recording *recording,
                                struct measured *measured, struct error *error)
{
    enum status status = STATUS_OK;
    if (!recording_find(recording, "agents/method"))
        return STATUS_OK;
    for (size_t i = 0; i < measured->agent_count && !status; i++)
        status = recording_agent_text(recording, "agents/method", i,
                                      measured->agents[i].method,
                                      MEASURED_METHOD_SIZE, error);
    return status;
}

/* Allocates the agents; only their speeds are known yet. */
static void agents_init(const struct recording *recording,
                        struct measured *measured)
{
    const struct variable *x = recording_find(recording, "agents/x");
    size_t count = x ? variable_elements(x) : 0;
    double *speeds = need_memory(count, sizeof *speeds);
    measured->agents = need_memory(count, sizeof *measured->agents);
    measured->agent_count = count;
    measured_speeds(recording, speeds, count);
    for (size_t i = 0; i < count; i++)
        measured->agents[i] = (struct measured_agent){
            .speed = speeds[i],
            .geodesic = NAN,
            .captured = -1,
            .first_arrival = NAN,
            .arrival_error = NAN,
        };
    memory_release(speeds);
}

enum status measured_read_agents(struct measured *measured,
                                 const struct recording *recording,
                                 struct geodesic *geodesic, struct error *error)
{
    int64_t rows = recording_rows(recording);
    *measured = (struct measured){ .steps = -1, .far_cells = -1 };
    if (rows == 0)
        return STATUS_OK;
    measured->steps = recording_steps(recording)[rows - 1];
    const char *stop = recording_setting(recording, "pursuit.stop");
    measured->team = stop && strcmp(stop, "any-captured") == 0;
    measured->limit = fmax(recording_setting_real(recording, "steps", 0),
                           (double)measured->steps);
    agents_init(recording, measured);
    enum status status = read_places(recording, "target", 0, measured->target,
                                     1, &measured->has_target, error);
    if (!status)
        status = read_methods(recording, measured, error);
    if (!status)
        status = walk(recording, measured, error);
    if (!status)
        status = read_captures(recording, measured, error);
    if (!status)
        measure_distances(measured, geodesic);
    return status;
}

/* ---- arrivals and plans ---- */

/* State while a recording is measured. */
struct reading {
    const struct recording *recording;
    struct measured *measured;
    struct geodesic geodesic;
    struct emission_row *emissions;
    size_t emission_count;
};

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

/* Degrees between a heading and the exact path's. The agent's position is that
 * of the row before the arrival, because arrivals are found before agents
 * move. */
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
    double *at = need_memory(count, GRID_AXES * sizeof(double));
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
    enum status status = measured_table(reading->recording, "arrivals", names,
                                        columns, column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        struct measured_agent *agent =
            agent_of(reading->measured, column[0][i]);
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
    enum status status = measured_table(reading->recording, "plans", names, 3,
                                        column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        struct measured_agent *agent =
            agent_of(reading->measured, column[0][i]);
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

enum status measured_init(struct measured *measured,
                          const struct recording *recording,
                          struct error *error)
{
    struct reading reading = { .recording = recording, .measured = measured };
    *measured = (struct measured){ .steps = -1, .far_cells = -1 };
    if (recording_rows(recording) == 0)
        return STATUS_OK;
    enum status status = geodesic_init(&reading.geodesic, recording, 0, error);
    if (!status)
        status =
            measured_read_agents(measured, recording, &reading.geodesic, error);
    if (!status)
        status = emissions_read(recording, &reading.emissions,
                                &reading.emission_count, error);
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

/* ---- times with censoring ---- */

static struct survival_time time_of(const struct measured *measured,
                                    const struct measured_agent *agent)
{
    bool captured = agent->captured >= 0;
    return (struct survival_time){
        (double)(captured ? agent->captured : measured->steps), captured, 0
    };
}

struct survival_time measured_chase(const struct measured *measured)
{
    struct survival_time chase = time_of(measured, &measured->agents[0]);
    for (size_t i = 1; i < measured->agent_count; i++)
        chase = survival_join(chase, time_of(measured, &measured->agents[i]),
                              measured->team);
    return chase;
}

size_t measured_times(const struct measured *measured,
                      struct survival_time *times)
{
    if (measured->team && measured->agent_count) {
        times[0] = measured_chase(measured);
        return 1;
    }
    for (size_t i = 0; i < measured->agent_count; i++)
        times[i] = time_of(measured, &measured->agents[i]);
    return measured->agent_count;
}

/* ---- the metrics ---- */

typedef double of_agent(const struct measured_agent *agent);

/* The mean over the agents for which it is a number; NAN if there is none. */
static double mean(const struct measured *measured, of_agent *value)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < measured->agent_count; i++) {
        double v = value(&measured->agents[i]);
        if (!isfinite(v))
            continue;
        sum += v;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

static double steps(const struct measured *measured)
{
    return measured->steps < 0 ? NAN : (double)measured->steps;
}

static double agents(const struct measured *measured)
{
    return (double)measured->agent_count;
}

static double captured(const struct measured *measured)
{
    double count = 0;
    for (size_t i = 0; i < measured->agent_count; i++)
        count += measured->agents[i].captured >= 0;
    return count;
}

static double capture_rate(const struct measured *measured)
{
    return measured->agent_count
               ? captured(measured) / (double)measured->agent_count
               : NAN;
}

static double step_of(const struct measured_agent *agent)
{
    return agent->captured >= 0 ? (double)agent->captured : NAN;
}

static double captured_steps(const struct measured *measured)
{
    return mean(measured, step_of);
}

static double length_of(const struct measured_agent *agent)
{
    return agent->path_length;
}

static double path_length(const struct measured *measured)
{
    return mean(measured, length_of);
}

static double geodesic_of(const struct measured_agent *agent)
{
    return agent->geodesic;
}

static double geodesic(const struct measured *measured)
{
    return mean(measured, geodesic_of);
}

/* v·steps/d. */
static double ratio_of(const struct measured_agent *agent)
{
    return agent->captured >= 0 && agent->geodesic > 0
               ? agent->speed * (double)agent->captured / agent->geodesic
               : NAN;
}

static double captured_ratio(const struct measured *measured)
{
    return mean(measured, ratio_of);
}

static double arrivals(const struct measured *measured)
{
    double count = 0;
    for (size_t i = 0; i < measured->agent_count; i++)
        count += (double)measured->agents[i].arrivals;
    return count;
}

static double arrival_of(const struct measured_agent *agent)
{
    return agent->first_arrival;
}

static double first_arrival(const struct measured *measured)
{
    return mean(measured, arrival_of);
}

static double squared_error_of(const struct measured_agent *agent)
{
    return agent->arrival_error * agent->arrival_error;
}

static double arrival_error(const struct measured *measured)
{
    return sqrt(mean(measured, squared_error_of));
}

static double reach(const struct measured *measured)
{
    return measured->far_cells > 0
               ? (double)measured->far_reached / (double)measured->far_cells
               : NAN;
}

/* Sums over the agents' plans; NAN if no agent made one. */
static double over_plans(const struct measured *measured, of_agent *value)
{
    double sum = 0;
    int64_t plans = 0;
    for (size_t i = 0; i < measured->agent_count; i++) {
        sum += value(&measured->agents[i]);
        plans += measured->agents[i].plans;
    }
    return plans ? sum : NAN;
}

static double expansions_of(const struct measured_agent *agent)
{
    return agent->expansions;
}

static double expansions(const struct measured *measured)
{
    return over_plans(measured, expansions_of);
}

static double nanoseconds_of(const struct measured_agent *agent)
{
    return agent->nanoseconds;
}

static double plans_of(const struct measured_agent *agent)
{
    return (double)agent->plans;
}

static double search_time(const struct measured *measured)
{
    return over_plans(measured, nanoseconds_of) /
           over_plans(measured, plans_of);
}

size_t measured_of_method(const struct measured *all, const char *method,
                          struct measured_agent *agents,
                          struct measured *measured)
{
    *measured = *all;
    measured->agents = agents;
    measured->agent_count = 0;
    for (size_t i = 0; i < all->agent_count; i++)
        if (strcmp(all->agents[i].method, method) == 0)
            agents[measured->agent_count++] = all->agents[i];
    return measured->agent_count;
}

const struct metric metrics[] = {
    { "steps", "step", "the last step of the run", steps },
    { "agents", "1", "agents in the run", agents },
    { "captured", "1", "agents that captured the target", captured },
    { "capture_rate", "1", "share of the agents that captured", capture_rate },
    { "captured_steps", "step",
      "steps to the capture, mean of those that captured", captured_steps },
    { "path_length", "cell", "length of the path, mean of the agents",
      path_length },
    { "geodesic", "cell",
      "shortest path from the agent's start to the target's, mean", geodesic },
    { "captured_ratio", "1",
      "speed times steps to the capture over the geodesic, mean of those that "
      "captured",
      captured_ratio },
    { "arrivals", "1", "arrivals that agents reacted to", arrivals },
    { "first_arrival", "step",
      "from the emission to the first arrival, mean of the agents",
      first_arrival },
    { "arrival_error", "degree",
      "heading at the first arrival against the exact path, RMS of the agents",
      arrival_error },
    { "reach", "1",
      "share of the reachable cells farther than 3 from the source at which "
      "the first emission of wave 0 arrives",
      reach },
    { "expansions", "1", "cells expanded by all searches", expansions },
    { "search_time", "ns", "time of a search, mean", search_time },
    { 0 },
};
_Static_assert(sizeof metrics / sizeof *metrics == METRICS + 1,
               "METRICS counts the rows");
