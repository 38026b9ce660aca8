/* SPDX-License-Identifier: MIT */
#include "analysis/compare/outcome.h"

#include "base/memory.h"
#include "base/need.h"
#include "metrics/metrics.h"
#include "metrics/summary.h"
#include "pursuit/settings.h"
#include "settings/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* cos 1°: headings that differ by less count as one heading. */
static const double same_heading = 0.99984769515639124;

void outcomes_release(struct outcomes *outcomes)
{
    memory_release(outcomes->items);
    *outcomes = (struct outcomes){ 0 };
}

static void outcomes_grow(struct outcomes *outcomes, size_t more)
{
    if (outcomes->count + more <= outcomes->room)
        return;
    size_t room = 2 * outcomes->room + more;
    struct outcome *items =
        need_grow(outcomes->items, outcomes->count, room, sizeof *items);
    outcomes->items = items;
    outcomes->room = room;
}

static enum status missing(const struct recording *recording, const char *what,
                           struct error *error)
{
    return error_set(error, STATUS_INPUT,
                     "%s: has no %s; a recording with \"agents\" in "
                     "record.fields is expected",
                     recording_path(recording), what);
}

/* Is there a variable for each axis? */
static enum status check_axes(const struct recording *recording,
                              const char *prefix, struct error *error)
{
    for (int axis = 0; axis < grid_axes(recording_grid(recording)); axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "%s%c", prefix, "xyz"[axis]);
        if (!recording_find(recording, name))
            return missing(recording, prefix, error);
    }
    return STATUS_OK;
}

/* ---- settings ---- */

/* Two keys are no settings: file, and agent (its name). */
static bool is_setting(const char *key)
{
    return strcmp(key, "file") != 0 && strcmp(key, "agent") != 0;
}

bool outcomes_know(const struct recording *recording, const char *key)
{
    return !is_setting(key) || recording_setting(recording, key);
}

static const char *value_of(const struct recording *recording, const char *key,
                            const char *agent)
{
    const char *value = strcmp(key, "file") == 0 ? recording_path(recording)
                        : strcmp(key, "agent") == 0
                            ? agent
                            : recording_setting(recording, key);
    return value ? value : "-";
}

/* Without an agent only the settings. */
static void name_group(const struct recording *recording,
                       const char *const *keys, size_t key_count,
                       const char *agent, char group[GROUP_SIZE])
{
    size_t used = 0;
    group[0] = '\0';
    for (size_t i = 0; i < key_count && used < GROUP_SIZE; i++)
        if (agent || is_setting(keys[i]))
            used += (size_t)snprintf(group + used, GROUP_SIZE - used, "%s%s",
                                     used ? ", " : "",
                                     value_of(recording, keys[i], agent));
}

/* Reads the data of an agent, except those in tables. */
static enum status begin(const struct recording *recording,
                         const struct measured_agent *agent, size_t number,
                         const char *const *keys, size_t key_count,
                         struct outcome *outcome, struct error *error)
{
    char name[GROUP_SIZE];
    bool exact = recording_grid(recording)->dims == 2;
    double shortest = isfinite(agent->geodesic) ? agent->geodesic : NAN;
    *outcome = (struct outcome){
        .capture = agent->captured,
        .cap = recording_steps(recording)[recording_rows(recording) - 1],
        .length = agent->path_length,
        .geodesic = exact ? shortest : NAN,
        .shortest = NAN,
        .waited = NAN,
        .marched = exact ? NAN : shortest,
        .speed = agent->speed,
        .step_nanoseconds = NAN,
        .nanoseconds = NAN,
        .expansions = NAN,
        .moves = (int)recording_setting_real(recording, "pursuit.moves", 0),
    };
    enum status status =
        recording_agent_text(recording, "agents/method", number,
                             outcome->method, METHOD_NAME_SIZE, error);
    if (!status)
        status = recording_agent_text(recording, "agents/name", number, name,
                                      sizeof name, error);
    if (!status)
        name_group(recording, keys, key_count, name, outcome->group);
    name_group(recording, keys, key_count, NULL, outcome->shared);
    return status;
}

/* ---- tables: headings at arrivals, plans, times ---- */

static enum status read_arrivals(const struct recording *recording,
                                 struct outcome *outcomes, size_t agents,
                                 struct error *error)
{
    static const char *const names[] = { "agent", "heading_x", "heading_y",
                                         "heading_z" };
    int columns = 1 + grid_axes(recording_grid(recording));
    double *column[1 + GRID_AXES] = { NULL };
    size_t rows;
    enum status status = measured_table(recording, "arrivals", names, columns,
                                        column, &rows, error);
    for (size_t i = 0; !status && i < rows; i++) {
        double length = 0; /* 0: lost, or it changed no heading */
        for (int axis = 1; axis < columns; axis++)
            length += fabs(column[axis][i]);
        if (length > 0 && column[0][i] >= 0 && column[0][i] < (double)agents)
            outcomes[(size_t)column[0][i]].updates++;
    }
    for (int i = 0; i < columns; i++)
        memory_release(column[i]);
    return status;
}

/* Of the whole run, the same for all of its agents. */
static enum status read_step_time(const struct recording *recording,
                                  struct outcome *outcomes, size_t agents,
                                  struct error *error)
{
    const struct variable *variable =
        recording_find(recording, "provenance/step_nanoseconds");
    double nanoseconds = 0;
    enum status status = variable ? recording_read_real(recording, variable, 0,
                                                        &nanoseconds, error)
                                  : STATUS_OK;
    for (size_t i = 0; i < agents && nanoseconds > 0; i++)
        outcomes[i].step_nanoseconds = nanoseconds;
    return status;
}

/* The median of one agent's values in a column of /plans. */
static double median_of(const double *agent, const double *value, size_t rows,
                        size_t number, double *own)
{
    size_t count = 0;
    for (size_t i = 0; i < rows; i++)
        if (agent[i] == (double)number)
            own[count++] = value[i];
    summary_sort(own, count);
    return summary_quantile(own, count, 0.5);
}

static enum status read_plans(const struct recording *recording,
                              struct outcome *outcomes, size_t agents,
                              struct error *error)
{
    static const char *const names[] = { "agent", "expansions", "nanoseconds" };
    double *column[3] = { NULL };
    size_t rows;
    enum status status =
        measured_table(recording, "plans", names, 3, column, &rows, error);
    double *own = need_memory(rows, sizeof *own);
    for (size_t i = 0; i < agents && rows && !status; i++) {
        outcomes[i].expansions = median_of(column[0], column[1], rows, i, own);
        outcomes[i].nanoseconds = median_of(column[0], column[2], rows, i, own);
    }
    for (int i = 0; i < 3; i++)
        memory_release(column[i]);
    memory_release(own);
    return status;
}

/* ---- turns ---- */

/* The agents' headings in a row, (agents) for each axis, and the last ones that
 * count. */
struct headings {
    double *now[GRID_AXES], *last[GRID_AXES];
};

static void take_heading(const struct headings *headings, int axes,
                         size_t agent, struct outcome *outcome)
{
    double dot = 0, length = 0, old = 0;
    for (int axis = 0; axis < axes; axis++) {
        dot += headings->last[axis][agent] * headings->now[axis][agent];
        length += fabs(headings->now[axis][agent]);
        old += fabs(headings->last[axis][agent]);
    }
    if (length == 0 || (old > 0 && dot > same_heading))
        return;
    outcome->turns += old > 0;
    for (int axis = 0; axis < axes; axis++)
        headings->last[axis][agent] = headings->now[axis][agent];
}

static enum status walk(const struct recording *recording,
                        const struct headings *headings,
                        struct outcome *outcomes, size_t agents,
                        struct error *error)
{
    const struct variable *heading[GRID_AXES];
    int axes = grid_axes(recording_grid(recording));
    enum status status = STATUS_OK;
    for (int axis = 0; axis < axes; axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "agents/heading_%c", "xyz"[axis]);
        heading[axis] = recording_find(recording, name);
    }
    for (int64_t row = 0; row < recording_rows(recording) && !status; row++) {
        int64_t step = recording_steps(recording)[row];
        for (int axis = 0; axis < axes && !status; axis++)
            status = recording_read_real(recording, heading[axis], row,
                                         headings->now[axis], error);
        for (size_t i = 0; i < agents && !status; i++)
            if (outcomes[i].capture < 0 || step <= outcomes[i].capture)
                take_heading(headings, axes, i, &outcomes[i]);
    }
    return status;
}

static enum status count_turns(const struct recording *recording,
                               struct outcome *outcomes, size_t agents,
                               struct error *error)
{
    struct headings headings;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        headings.now[axis] = need_memory(agents, sizeof(double));
        headings.last[axis] = need_memory(agents, sizeof(double));
    }
    enum status status = walk(recording, &headings, outcomes, agents, error);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        memory_release(headings.now[axis]);
        memory_release(headings.last[axis]);
    }
    return status;
}

/* ---- the shortest path to the capture, and the waiting time before it ---- */

/* The values of a variable of the agents or the target in a row; NAN if it was
 * not recorded. */
static enum status read_row(const struct recording *recording, const char *name,
                            int64_t row, double *values, size_t count,
                            struct error *error)
{
    const struct variable *variable = recording_find(recording, name);
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
    return variable && variable_elements(variable) == count
               ? recording_read_real(recording, variable, row, values, error)
               : STATUS_OK;
}

/* The first row at or after a step; else the last one. */
static int64_t row_after(const struct recording *recording, int64_t step)
{
    const int64_t *steps = recording_steps(recording);
    int64_t row = 0;
    while (row + 1 < recording_rows(recording) && steps[row] < step)
        row++;
    return row;
}

/* An agent that captured does not move any more. `places` has room for all. */
static enum status read_shortest(const struct recording *recording,
                                 struct geodesic *geodesic, size_t number,
                                 const struct measured *measured,
                                 double *places, struct outcome *outcome,
                                 struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    const int64_t row = row_after(recording, outcome->capture);
    double target[GRID_AXES] = { 0 }, left = 0;
    enum status status = STATUS_OK;
    for (int axis = 0; axis < grid_axes(grid) && !status; axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "agents/%c", "xyz"[axis]);
        status = read_row(recording, name, row, places, measured->agent_count,
                          error);
        snprintf(name, sizeof name, "target/%c", "xyz"[axis]);
        if (!status)
            status = read_row(recording, name, row, &target[axis], 1, error);
        left = hypot(left, places[number] - target[axis]);
    }
    if (status || !isfinite(left))
        return status;
    const size_t goal = grid_nearest(grid, target);
    if (grid->dims == 3 && goal != grid_nearest(grid, measured->target))
        return STATUS_OK;
    geodesic_solve(geodesic, goal);
    const double *start = measured->agents[number].start;
    double shortest =
        geodesic_distance(geodesic, grid_nearest(grid, start)) - left;
    if (isfinite(shortest) && shortest > 0)
        outcome->shortest = shortest;
    return STATUS_OK;
}

static enum status read_captures(const struct recording *recording,
                                 struct geodesic *geodesic,
                                 const struct measured *measured,
                                 struct outcome *outcomes, struct error *error)
{
    double *places = need_memory(measured->agent_count, sizeof *places);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < measured->agent_count && !status; i++)
        if (outcomes[i].capture >= 0)
            status = read_shortest(recording, geodesic, i, measured, places,
                                   &outcomes[i], error);
    memory_release(places);
    return status;
}

/* Until the last row in which it waits for its first heading. */
static enum status read_waits(const struct recording *recording,
                              struct outcome *outcomes, size_t agents,
                              struct error *error)
{
    double *state = need_memory(agents, sizeof *state);
    int64_t *waited = need_memory(agents, sizeof *waited);
    enum status status = STATUS_OK;
    bool any = true;
    for (int64_t row = 0; row < recording_rows(recording) && any && !status;
         row++) {
        status = read_row(recording, "agents/state", row, state, agents, error);
        any = row == 0; /* no agent has moved before the first step */
        for (size_t i = 0; i < agents && !status; i++)
            if (state[i] == AGENT_WAITING) {
                waited[i] = recording_steps(recording)[row];
                any = true;
            }
    }
    for (size_t i = 0; i < agents && !status; i++)
        if (outcomes[i].capture > 0 && !isnan(state[i]))
            outcomes[i].waited =
                fmin(1, (double)waited[i] / (double)outcomes[i].capture);
    memory_release(state);
    memory_release(waited);
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

static void name_problems(const struct recording *recording,
                          const struct measured *measured, const uint8_t *wall,
                          struct outcome *outcomes)
{
    static const char *const keys[] = { "seed", "target.motion", "target.speed",
                                        "pursuit.capture_radius" };
    const struct grid *grid = recording_grid(recording);
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), grid, sizeof *grid);
    hash = mix(hash, wall, grid_cells(grid));
    hash = mix_terrain(hash, recording);
    hash = mix(hash, measured->target, sizeof measured->target);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        hash = mix_setting(hash, recording, keys[i]);
    for (size_t i = 0; i < measured->agent_count; i++) {
        const struct measured_agent *agent = &measured->agents[i];
        outcomes[i].problem = mix(hash, &agent->speed, sizeof agent->speed);
        outcomes[i].problem =
            mix(outcomes[i].problem, agent->start, sizeof agent->start);
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

static enum status name_courses(const struct recording *recording,
                                struct outcome *outcomes, size_t agents,
                                struct error *error)
{
    static const char *const groups[] = { "agents", "target" };
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
    for (size_t i = 0; i < agents; i++)
        outcomes[i].course = mix(hash, &i, sizeof i);
    return status;
}

/* ---- all data ---- */

static enum status read_all(const struct recording *recording,
                            struct geodesic *geodesic,
                            const struct measured *measured,
                            const char *const *keys, size_t key_count,
                            struct outcome *outcomes, struct error *error)
{
    enum status status = STATUS_OK;
    size_t agents = measured->agent_count;
    for (size_t i = 0; i < agents && !status; i++)
        status = begin(recording, &measured->agents[i], i, keys, key_count,
                       &outcomes[i], error);
    if (!status)
        status = read_arrivals(recording, outcomes, agents, error);
    if (!status)
        status = read_step_time(recording, outcomes, agents, error);
    if (!status)
        status = read_plans(recording, outcomes, agents, error);
    if (!status)
        status = read_captures(recording, geodesic, measured, outcomes, error);
    if (!status)
        status = read_waits(recording, outcomes, agents, error);
    if (!status)
        status = name_courses(recording, outcomes, agents, error);
    return status ? status : count_turns(recording, outcomes, agents, error);
}

/* Copies the values measured from their recording. */
static void place(const struct measured *measured, size_t number,
                  struct outcome *outcomes)
{
    for (size_t i = 0; i < measured->agent_count; i++) {
        outcomes[i].recording = number;
        outcomes[i].limit = measured->limit;
        outcomes[i].team = measured->team;
    }
}

enum status outcomes_read(const struct recording *recording,
                          const char *const *keys, size_t key_count,
                          struct outcomes *outcomes, struct error *error)
{
    struct geodesic geodesic = { 0 };
    struct measured measured = { 0 };
    if (!recording_find(recording, "agents/x") ||
        recording_rows(recording) == 0)
        return missing(recording, "agents", error);
    enum status status = check_axes(recording, "agents/", error);
    if (!status)
        status = check_axes(recording, "agents/heading_", error);
    if (!status && recording_find(recording, "target/x"))
        status = check_axes(recording, "target/", error);
    if (!status)
        status = geodesic_init(&geodesic, recording, 0, error);
    if (!status)
        status = measured_read_agents(&measured, recording, &geodesic, error);
    if (!status)
        outcomes_grow(outcomes, measured.agent_count);
    if (!status)
        status = read_all(recording, &geodesic, &measured, keys, key_count,
                          outcomes->items + outcomes->count, error);
    if (!status) {
        name_problems(recording, &measured, geodesic.wall,
                      outcomes->items + outcomes->count);
        place(&measured, outcomes->recordings++,
              outcomes->items + outcomes->count);
        outcomes->count += measured.agent_count;
    }
    measured_release(&measured);
    geodesic_release(&geodesic);
    return status;
}

static bool is_one_of(const char *method, const char *const *methods)
{
    for (; *methods; methods++)
        if (strcmp(method, *methods) == 0)
            return true;
    return false;
}

bool outcomes_have_staircases(const struct outcomes *outcomes)
{
    static const char *const by_moves[] = { "dijkstra", "astar", "dstar-lite",
                                            "pincer", NULL };
    static const char *const by_waves[] = { "wave", "wave-pincer", NULL };
    bool stairs = false, wave = false;
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        stairs |= outcome->moves == 4 && is_one_of(outcome->method, by_moves);
        wave |= is_one_of(outcome->method, by_waves);
    }
    return stairs && wave;
}
