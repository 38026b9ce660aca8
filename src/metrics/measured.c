/* SPDX-License-Identifier: MIT */
#include "metrics/measured.h"

#include "base/memory.h"
#include "base/need.h"
#include "metrics/summary.h"
#include "pursuit/settings.h"
#include "recording/read/tables.h"
#include "settings/parameters.h"
#include "view/arrival_run.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* State while a recording is measured. */
struct reading {
    const struct recording *recording;
    struct measured *measured;
    struct geodesic geodesic;
    struct emission_row *emissions;
    size_t emission_count;
    bool pairs;
};

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

static enum status read_reach(struct reading *reading, struct error *error)
{
    const struct recording *recording = reading->recording;
    struct measured *measured = reading->measured;
    struct geodesic *geodesic = &reading->geodesic;
    const struct emission_row *first = NULL;
    for (size_t i = reading->emission_count; i-- > 0;)
        if (reading->emissions[i].wave == 0)
            first = &reading->emissions[i];
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

/* The values "PREFIXx", "PREFIXy", … in a row, (axis, count); false if the
 * recording has none. */
static enum status read_axes(const struct recording *recording,
                             const char *prefix, int64_t row, double *at,
                             size_t count, bool *there, struct error *error)
{
    enum status status = STATUS_OK;
    for (int axis = 0;
         axis < grid_axes(recording_grid(recording)) && *there && !status;
         axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "%s%c", prefix, "xyz"[axis]);
        const struct variable *variable = recording_find(recording, name);
        *there = variable && variable->by_row &&
                 variable_elements(variable) == count;
        if (*there)
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

static struct measured_agent *agent_of(const struct measured *measured,
                                       double number)
{
    return number >= 0 && number < (double)measured->agent_count
               ? &measured->agents[(size_t)number]
               : NULL;
}

/* A recording of another program, without methods, has one method without a
 * name. */
static enum status read_text(const struct recording *recording,
                             const char *name, size_t agent, char *text,
                             size_t size, struct error *error)
{
    return recording_find(recording, name)
               ? recording_agent_text(recording, name, agent, text, size, error)
               : STATUS_OK;
}

static enum status read_agents(struct reading *reading, struct error *error)
{
    const struct recording *recording = reading->recording;
    struct measured *measured = reading->measured;
    const struct variable *x = recording_find(recording, "agents/x");
    size_t count = x ? variable_elements(x) : 0;
    double *speeds = need_memory(count, sizeof *speeds);
    enum status status = STATUS_OK;
    measured->agents = need_memory(count, sizeof *measured->agents);
    measured->agent_count = count;
    measured_speeds(recording, speeds, count);
    for (size_t i = 0; i < count && !status; i++) {
        struct measured_agent *agent = &measured->agents[i];
        *agent = (struct measured_agent){
            .run = measured,
            .speed = speeds[i],
            .captured = NAN,
            .waited = NAN,
            .geodesic = NAN,
            .shortest = NAN,
            .first_arrival = NAN,
            .arrival_error = NAN,
            .expansions = NAN,
            .nanoseconds = NAN,
            .plan_expansions = NAN,
            .plan_nanoseconds = NAN,
            .over_lee = NAN,
        };
        status = read_text(recording, "agents/method", i, agent->method,
                           sizeof agent->method, error);
        if (!status)
            status = read_text(recording, "agents/name", i, agent->name,
                               sizeof agent->name, error);
    }
    memory_release(speeds);
    return status;
}

static enum status read_captures(struct reading *reading, struct error *error)
{
    static const char *const names[] = { "agent", "step" };
    double *column[2] = { NULL };
    size_t rows;
    enum status status = table_columns_read(reading->recording, "captures",
                                            names, 2, column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        struct measured_agent *agent =
            agent_of(reading->measured, column[0][i]);
        if (agent && isnan(agent->captured))
            agent->captured = column[1][i];
    }
    memory_release(column[0]);
    memory_release(column[1]);
    return status;
}

/* Of the whole run. */
static enum status read_step_time(struct reading *reading, struct error *error)
{
    const struct variable *variable =
        recording_find(reading->recording, "provenance/step_nanoseconds");
    double nanoseconds = 0;
    enum status status = variable
                             ? recording_read_real(reading->recording, variable,
                                                   0, &nanoseconds, error)
                             : STATUS_OK;
    if (nanoseconds > 0)
        reading->measured->step_nanoseconds = nanoseconds;
    return status;
}

/* ---- from row to row ---- */

/* An agent's place at the row before, its last heading that counts, and the
 * target at its capture. */
struct trail {
    double before[GRID_AXES], heading[GRID_AXES];
    double waited; /* the last step at which it waited for its first heading */
    size_t goal;
    double left; /* between agent and target; NAN: no capture, or unknown */
    bool ended;
};

/* A row, (axis, agent); false: the recording has none. */
struct places {
    int64_t row, step;
    double *at, *heading, *state;
    double target[GRID_AXES];
    bool has_places, has_headings, has_states, has_target;
};

/* cos 1°: headings that differ by less count as one heading. */
static const double same_heading = 0.99984769515639124;

static void turn(struct measured_agent *agent, const double now[GRID_AXES],
                 double last[GRID_AXES])
{
    double dot = 0, length = 0, old = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        dot += last[axis] * now[axis];
        length += fabs(now[axis]);
        old += fabs(last[axis]);
    }
    if (length == 0 || (old > 0 && dot > same_heading))
        return;
    agent->turns += old > 0;
    memcpy(last, now, GRID_AXES * sizeof *last);
}

/* `last`: there is no row behind this one. */
static void follow(const struct reading *reading, const struct places *places,
                   size_t i, bool last, struct trail *trail)
{
    struct measured_agent *agent = &reading->measured->agents[i];
    const size_t count = reading->measured->agent_count;
    double at[GRID_AXES], heading[GRID_AXES], squared = 0, left = 0;
    for (size_t axis = 0; axis < GRID_AXES; axis++) {
        at[axis] = places->at[axis * count + i];
        heading[axis] = places->heading[axis * count + i];
        double moved = places->row ? at[axis] - trail->before[axis] : 0;
        squared += moved * moved;
        left = hypot(left, at[axis] - places->target[axis]);
    }
    agent->path_length += sqrt(squared);
    if (!places->row)
        memcpy(agent->start, at, sizeof at);
    memcpy(trail->before, at, sizeof at);
    if (!((double)places->step > agent->captured))
        turn(agent, heading, trail->heading);
    if (places->has_states && places->state[i] == AGENT_WAITING)
        trail->waited = (double)places->step;
    if (!trail->ended && (last || (double)places->step >= agent->captured)) {
        trail->ended = true;
        if (isnan(agent->captured) || !places->has_places ||
            !places->has_target)
            return;
        trail->goal = grid_nearest(&reading->geodesic.grid, places->target);
        trail->left = left;
    }
}

static enum status read_row(const struct recording *recording, bool pairs,
                            struct places *places, size_t count,
                            struct error *error)
{
    const struct variable *state = recording_find(recording, "agents/state");
    bool moved = places->row > 0, waits = !moved; /* none moved before it */
    for (size_t i = 0; i < count && moved; i++)
        waits = waits || places->state[i] == AGENT_WAITING;
    enum status status =
        read_axes(recording, "agents/", places->row, places->at, count,
                  &places->has_places, error);
    if (!status)
        status =
            read_axes(recording, "agents/heading_", places->row,
                      places->heading, count, &places->has_headings, error);
    if (!status && (places->row == 0 || pairs))
        status = read_axes(recording, "target/", places->row, places->target, 1,
                           &places->has_target, error);
    if (!status && places->has_states && (waits || places->row == 1))
        status = recording_read_real(recording, state, places->row,
                                     places->state, error);
    return status;
}

static void measure_distances(struct reading *reading,
                              const struct trail *trails)
{
    struct geodesic *geodesic = &reading->geodesic;
    const struct grid *grid = &geodesic->grid;
    struct measured *measured = reading->measured;
    if (!measured->has_target || measured->agent_count == 0)
        return;
    const size_t target = grid_nearest(grid, measured->target);
    geodesic_solve(geodesic, target);
    for (size_t i = 0; i < measured->agent_count; i++) {
        struct measured_agent *agent = &measured->agents[i];
        if (!isnan(agent->path_length))
            agent->geodesic =
                geodesic_distance(geodesic, grid_nearest(grid, agent->start));
    }
    for (size_t i = 0; i < measured->agent_count && reading->pairs; i++) {
        struct measured_agent *agent = &measured->agents[i];
        if (isnan(trails[i].left) ||
            (grid->dims == 3 && trails[i].goal != target))
            continue;
        geodesic_solve(geodesic, trails[i].goal);
        double shortest =
            geodesic_distance(geodesic, grid_nearest(grid, agent->start)) -
            trails[i].left;
        if (isfinite(shortest) && shortest > 0)
            agent->shortest = shortest;
    }
}

/* The ends of the agents' trails, from which their shortest paths follow. */
static void end_trails(struct reading *reading, const struct places *places,
                       const struct trail *trails)
{
    for (size_t i = 0; i < reading->measured->agent_count; i++) {
        struct measured_agent *agent = &reading->measured->agents[i];
        if (!places->has_places)
            agent->path_length = NAN;
        if (places->has_states && agent->captured > 0)
            agent->waited = fmin(1, trails[i].waited / agent->captured);
    }
    measure_distances(reading, trails);
}

static enum status read_rows(struct reading *reading, struct error *error)
{
    const struct recording *recording = reading->recording;
    struct measured *measured = reading->measured;
    const size_t count = measured->agent_count;
    const struct variable *state = recording_find(recording, "agents/state");
    struct places places = {
        .at = need_memory(count, GRID_AXES * sizeof(double)),
        .heading = need_memory(count, GRID_AXES * sizeof(double)),
        .state = need_memory(count, sizeof(double)),
        .has_places = true,
        .has_headings = true,
        .has_target = true,
        .has_states = state && variable_elements(state) == count,
    };
    struct trail *trails = need_memory(count, sizeof *trails);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        trails[i].left = NAN;
    for (int64_t rows = recording_rows(recording); places.row < rows && !status;
         places.row++) {
        places.step = recording_steps(recording)[places.row];
        status = read_row(recording, reading->pairs, &places, count, error);
        if (places.row == 0 && places.has_target)
            memcpy(measured->target, places.target, sizeof places.target);
        for (size_t i = 0; i < count && !status; i++)
            follow(reading, &places, i, places.row + 1 == rows, &trails[i]);
    }
    measured->has_target = places.has_target;
    if (!status)
        end_trails(reading, &places, trails);
    memory_release(places.at);
    memory_release(places.heading);
    memory_release(places.state);
    memory_release(trails);
    return status;
}

/* ---- arrivals and plans ---- */

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
    bool there = true;
    enum status status =
        read_axes(reading->recording, "agents/", row, at, count, &there, error);
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
    enum status status = table_columns_read(
        reading->recording, "arrivals", names, columns, column, &rows, error);
    for (size_t i = 0; i < rows && !status; i++) {
        struct measured_agent *agent =
            agent_of(reading->measured, column[0][i]);
        if (!agent)
            continue;
        double heading[GRID_AXES] = { column[3][i], column[4][i],
                                      column[5] ? column[5][i] : 0 };
        /* 0: it was lost, or changed no heading */
        agent->updates += heading[0] != 0 || heading[1] != 0 || heading[2] != 0;
        int64_t step = (int64_t)column[2][i];
        const struct emission_row *emission =
            agent->arrivals++ > 0
                ? NULL
                : emission_of(reading, (int)column[1][i], step);
        if (!emission)
            continue;
        agent->first_arrival = (double)(step - emission->step);
        status = heading_error(reading, (size_t)column[0][i], emission, step,
                               heading, &agent->arrival_error, error);
    }
    for (int i = 0; i < columns; i++)
        memory_release(column[i]);
    return status;
}

/* The plans of one agent; `own` has room for two numbers of each row. */
static void take_plans(double *const column[3], size_t rows, size_t number,
                       double *own, struct measured_agent *agent)
{
    size_t count = 0;
    double *expansions = own, *nanoseconds = own + rows;
    double sums[2] = { 0 };
    for (size_t i = 0; i < rows; i++)
        if (column[0][i] == (double)number) {
            sums[0] += expansions[count] = column[1][i];
            sums[1] += nanoseconds[count++] = column[2][i];
        }
    agent->plans = (double)count;
    if (count == 0)
        return;
    summary_sort(expansions, count);
    summary_sort(nanoseconds, count);
    agent->expansions = sums[0];
    agent->nanoseconds = sums[1];
    agent->plan_expansions = summary_quantile(expansions, count, .5);
    agent->plan_nanoseconds = summary_quantile(nanoseconds, count, .5);
}

static enum status read_plans(struct reading *reading, struct error *error)
{
    static const char *const names[] = { "agent", "expansions", "nanoseconds" };
    double *column[3] = { NULL };
    size_t rows;
    enum status status = table_columns_read(reading->recording, "plans", names,
                                            3, column, &rows, error);
    double *own = need_memory(rows, 2 * sizeof *own);
    for (size_t i = 0; i < reading->measured->agent_count && rows && !status;
         i++)
        take_plans(column, rows, i, own, &reading->measured->agents[i]);
    for (int i = 0; i < 3; i++)
        memory_release(column[i]);
    memory_release(own);
    return status;
}

/* ---- the problem ---- */

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data; /* FNV-1a */
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t mix_setting(uint64_t hash, const struct recording *recording,
                            const char *key)
{
    const char *value = recording_setting(recording, key);
    return value ? mix(hash, value, strlen(value) + 1) : mix(hash, "", 1);
}

static bool is_name(const struct parameter *line)
{
    static const char end[] = ".name";
    const size_t length = sizeof end - 1;
    return line->key_length > length &&
           memcmp(line->key + line->key_length - length, end, length) == 0;
}

/* Adds the regions and events, whatever their names. */
static uint64_t mix_terrain(uint64_t hash, const struct recording *recording)
{
    const char *text = recording_text(recording, "parameters");
    struct parameter line;
    while (text && parameters_next(&text, &line))
        if ((strncmp(line.key, "regions.", 8) == 0 && !is_name(&line)) ||
            strncmp(line.key, "events.", 7) == 0) {
            hash = mix(hash, line.key, line.key_length);
            hash = mix(hash, line.value, line.value_length);
        }
    return hash;
}

static void name_problems(const struct reading *reading)
{
    static const char *const common[] = { "seed", "target.motion",
                                          "target.speed",
                                          "pursuit.capture_radius" };
    const struct grid *grid = &reading->geodesic.grid;
    const struct measured *measured = reading->measured;
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), grid, sizeof *grid);
    hash = mix(hash, reading->geodesic.wall, grid_cells(grid));
    hash = mix_terrain(hash, reading->recording);
    hash = mix(hash, measured->target, sizeof measured->target);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        hash = mix_setting(hash, reading->recording, common[i]);
    for (size_t i = 0; i < measured->agent_count; i++) {
        struct measured_agent *agent = &measured->agents[i];
        agent->problem = mix(hash, &agent->speed, sizeof agent->speed);
        agent->problem = mix(agent->problem, agent->start, sizeof agent->start);
    }
}

/* Earlier recordings name it "crc/agents/x". */
static const struct variable *find_sums(const struct recording *recording,
                                        const char *group, char axis)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "crc/%s/crc_%c", group, axis);
    const struct variable *found = recording_find(recording, name);
    snprintf(name, sizeof name, "crc/%s/%c", group, axis);
    return found ? found : recording_find(recording, name);
}

static enum status name_courses(struct reading *reading, struct error *error)
{
    static const char *const groups[] = { "agents", "target" };
    const struct recording *recording = reading->recording;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    enum status status = STATUS_OK;
    for (int i = 0; i < 2 * GRID_AXES && !status; i++) {
        const struct variable *sums =
            find_sums(recording, groups[i / GRID_AXES], "xyz"[i % GRID_AXES]);
        if (!sums)
            continue;
        uint32_t *rows = need_memory(variable_elements(sums), sizeof *rows);
        status = recording_read(recording, sums, 0, rows, error);
        if (!status)
            hash = mix(hash, rows,
                       (size_t)recording_rows(recording) * sizeof *rows);
        memory_release(rows);
    }
    for (size_t i = 0; i < reading->measured->agent_count; i++)
        reading->measured->agents[i].course = mix(hash, &i, sizeof i);
    return status;
}

/* ---- all data ---- */

static enum status read_all(struct reading *reading, unsigned parts,
                            struct error *error)
{
    static enum status (*const of_agents[])(
        struct reading *, struct error *) = { read_agents, read_captures,
                                              read_rows, read_step_time };
    enum status status =
        geodesic_init(&reading->geodesic, reading->recording, 0, error);
    for (size_t i = 0; i < sizeof of_agents / sizeof *of_agents && !status; i++)
        status = of_agents[i](reading, error);
    if (!status)
        status = emissions_read(reading->recording, &reading->emissions,
                                &reading->emission_count, error);
    if (!status)
        status = read_arrivals(reading, error);
    if (!status)
        status = read_plans(reading, error);
    if (!status && reading->pairs) {
        name_problems(reading);
        status = name_courses(reading, error);
    }
    return !status && (parts & MEASURED_REACH) ? read_reach(reading, error)
                                               : status;
}

enum status measured_init(struct measured *measured,
                          const struct recording *recording, unsigned parts,
                          struct error *error)
{
    struct reading reading = { .recording = recording,
                               .measured = measured,
                               .pairs = (parts & MEASURED_PAIRS) != 0 };
    int64_t rows = recording_rows(recording);
    *measured = (struct measured){
        .steps = -1, .step_nanoseconds = NAN, .far_cells = -1, .far_reached = -1
    };
    if (rows == 0)
        return STATUS_OK;
    const char *stop = recording_setting(recording, "pursuit.stop");
    measured->dims = recording_grid(recording)->dims;
    measured->steps = recording_steps(recording)[rows - 1];
    measured->team = stop && strcmp(stop, "any-captured") == 0;
    measured->limit = fmax(recording_setting_real(recording, "steps", 0),
                           (double)measured->steps);
    measured->moves =
        (int)recording_setting_real(recording, "pursuit.moves", 0);
    enum status status = read_all(&reading, parts, error);
    memory_release(reading.emissions);
    geodesic_release(&reading.geodesic);
    return status;
}

void measured_release(struct measured *measured)
{
    memory_release(measured->agents);
    *measured = (struct measured){ 0 };
}
