/* SPDX-License-Identifier: MIT */
#include "compare_outcome.h"

#include "base/memory.h"
#include "compare_reading.h"
#include "world/terrain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* cos 1°: headings nearer to each other than that are one heading. */
static const double same_heading = 0.99984769515639124;

void outcomes_release(struct outcomes *outcomes)
{
    memory_release(outcomes->items);
    *outcomes = (struct outcomes){ 0 };
}

static enum status outcomes_grow(struct outcomes *outcomes, size_t more,
                                 struct error *error)
{
    if (outcomes->count + more <= outcomes->room)
        return STATUS_OK;
    size_t room = 2 * outcomes->room + more;
    struct outcome *items =
        memory_grow(outcomes->items, outcomes->count, room, sizeof *items);
    if (!items)
        return error_memory(error);
    outcomes->items = items;
    outcomes->room = room;
    return STATUS_OK;
}

static const struct variable *variable_of(const struct reading *reading,
                                          const char *prefix, int axis)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "%s%c", prefix, "xyz"[axis]);
    return recording_find(reading->recording, name);
}

static enum status missing(const struct reading *reading, const char *what,
                           struct error *error)
{
    return error_set(error, STATUS_INPUT,
                     "%s: holds no %s; a recording with \"agents\" in "
                     "record.fields is expected",
                     recording_path(reading->recording), what);
}

static enum status read_row(const struct reading *reading, const char *prefix,
                            int64_t row, double *const out[GRID_AXES],
                            struct error *error)
{
    enum status status = STATUS_OK;
    for (int axis = 0; axis < reading_axes(reading) && !status; axis++) {
        const struct variable *variable = variable_of(reading, prefix, axis);
        if (!variable)
            return missing(reading, prefix, error);
        status = recording_read_real(reading->recording, variable, row,
                                     out[axis], error);
    }
    return status;
}

/* ---- settings ---- */

/* An entry of the scenario's agents may stand for many. */
static void read_speeds(struct reading *reading)
{
    size_t agent = 0;
    for (int entry = 0; agent < reading->agents; entry++) {
        char key[64];
        snprintf(key, sizeof key, "agents.[%d].speed", entry);
        double speed = recording_setting_real(reading->recording, key, NAN);
        snprintf(key, sizeof key, "agents.[%d].count", entry);
        double count = recording_setting_real(reading->recording, key, 1);
        do
            reading->outcome[agent++].speed = speed;
        while (agent < reading->agents && --count >= 1);
    }
}

/* Two keys are no settings: file, and agent, its name. */
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

/* Without an agent the settings alone. */
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

static enum status read_names(struct reading *reading, const char *const *keys,
                              size_t key_count, struct error *error)
{
    enum status status = STATUS_OK;
    const int64_t rows = recording_rows(reading->recording);
    for (size_t i = 0; i < reading->agents && !status; i++) {
        struct outcome *outcome = &reading->outcome[i];
        *outcome = (struct outcome){
            .capture = -1,
            .cap = recording_steps(reading->recording)[rows - 1],
            .geodesic = NAN,
            .marched = NAN,
            .step_nanoseconds = NAN,
            .nanoseconds = NAN,
            .expansions = NAN,
            .moves = (int)recording_setting_real(reading->recording,
                                                 "pursuit.moves", 0),
        };
        char name[GROUP_SIZE];
        status = recording_agent_text(reading->recording, "agents/method", i,
                                      outcome->method, METHOD_NAME_SIZE, error);
        if (!status)
            status = recording_agent_text(reading->recording, "agents/name", i,
                                          name, sizeof name, error);
        if (!status)
            name_group(reading->recording, keys, key_count, name,
                       outcome->group);
        name_group(reading->recording, keys, key_count, NULL, outcome->shared);
    }
    read_speeds(reading);
    return status;
}

/* ---- trajectories ---- */

static void take_heading(struct reading *reading, size_t agent)
{
    double dot = 0, length = 0;
    for (int axis = 0; axis < reading_axes(reading); axis++) {
        dot += reading->heading[axis][agent] * reading->turned[axis][agent];
        length += fabs(reading->turned[axis][agent]);
    }
    double old = 0;
    for (int axis = 0; axis < reading_axes(reading); axis++)
        old += fabs(reading->heading[axis][agent]);
    if (length == 0 || (old > 0 && dot > same_heading))
        return;
    reading->outcome[agent].turns += old > 0;
    for (int axis = 0; axis < reading_axes(reading); axis++)
        reading->heading[axis][agent] = reading->turned[axis][agent];
}

static void take_row(struct reading *reading, int64_t step)
{
    for (size_t i = 0; i < reading->agents; i++) {
        struct outcome *outcome = &reading->outcome[i];
        double square = 0;
        for (int axis = 0; axis < reading_axes(reading); axis++) {
            double d = reading->now[axis][i] - reading->before[axis][i];
            square += d * d;
        }
        outcome->length += sqrt(square);
        if (outcome->capture < 0 || step <= outcome->capture)
            take_heading(reading, i);
    }
}

static enum status read_trajectories(struct reading *reading,
                                     struct error *error)
{
    const struct recording *recording = reading->recording;
    enum status status = STATUS_OK;
    for (int64_t row = 0; row < recording_rows(recording) && !status; row++) {
        status = read_row(reading, "agents/", row, reading->now, error);
        if (!status)
            status = read_row(reading, "agents/heading_", row, reading->turned,
                              error);
        for (int axis = 0; axis < reading_axes(reading) && !status && !row;
             axis++) {
            size_t bytes = reading->agents * sizeof(double);
            memcpy(reading->before[axis], reading->now[axis], bytes);
            memcpy(reading->start[axis], reading->now[axis], bytes);
        }
        if (!status)
            take_row(reading, recording_steps(recording)[row]);
        for (int axis = 0; axis < reading_axes(reading); axis++) {
            double *spare = reading->before[axis];
            reading->before[axis] = reading->now[axis];
            reading->now[axis] = spare;
        }
    }
    return status;
}

static enum status read_target(struct reading *reading, struct error *error)
{
    double *at[GRID_AXES] = { &reading->target[0], &reading->target[1],
                              &reading->target[2] };
    reading->has_target = recording_find(reading->recording, "target/x");
    if (!reading->has_target)
        return STATUS_OK;
    return read_row(reading, "target/", 0, at, error);
}

/* ---- the problem, and its shortest way ---- */

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

static void name_problems(struct reading *reading,
                          const struct terrain *terrain)
{
    static const char *const keys[] = { "seed", "target.motion", "target.speed",
                                        "pursuit.capture_radius" };
    uint64_t hash =
        mix(UINT64_C(0xcbf29ce484222325), &terrain->grid, sizeof terrain->grid);
    hash = mix(hash, terrain->wall, grid_cells(&terrain->grid));
    hash = mix(hash, reading->target, sizeof reading->target);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        hash = mix_setting(hash, reading->recording, keys[i]);
    for (size_t i = 0; i < reading->agents; i++) {
        struct outcome *outcome = &reading->outcome[i];
        outcome->problem = mix(hash, &outcome->speed, sizeof outcome->speed);
        for (int axis = 0; axis < reading_axes(reading); axis++)
            outcome->problem =
                mix(outcome->problem, &reading->start[axis][i], sizeof(double));
    }
}

static enum status read_map(struct reading *reading, struct error *error)
{
    struct terrain terrain;
    enum status status =
        terrain_init(&terrain, recording_grid(reading->recording), error);
    if (status)
        return status;
    status = recording_read_terrain(reading->recording, "wall", 0, terrain.wall,
                                    error);
    if (!status) {
        name_problems(reading, &terrain);
        status = reading_ways(reading, &terrain, error);
    }
    terrain_release(&terrain);
    return status;
}

/* ---- all of it ---- */

static enum status reading_init(struct reading *reading, struct error *error)
{
    bool good = true;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double **fields[] = { &reading->before[axis], &reading->now[axis],
                              &reading->heading[axis], &reading->turned[axis],
                              &reading->start[axis] };
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            *fields[i] = memory_new(reading->agents, sizeof(double));
            good = good && *fields[i];
        }
    }
    return good ? STATUS_OK : error_memory(error);
}

static void reading_release(struct reading *reading)
{
    for (int axis = 0; axis < GRID_AXES; axis++) {
        memory_release(reading->before[axis]);
        memory_release(reading->now[axis]);
        memory_release(reading->heading[axis]);
        memory_release(reading->turned[axis]);
        memory_release(reading->start[axis]);
    }
}

static enum status read_all(struct reading *reading, const char *const *keys,
                            size_t key_count, struct error *error)
{
    enum status status = reading_init(reading, error);
    if (!status)
        status = read_names(reading, keys, key_count, error);
    if (!status)
        status = reading_tables(reading, error);
    if (!status)
        status = read_trajectories(reading, error);
    if (!status)
        status = read_target(reading, error);
    return status ? status : read_map(reading, error);
}

enum status outcomes_read(const struct recording *recording,
                          const char *const *keys, size_t key_count,
                          struct outcomes *outcomes, struct error *error)
{
    struct reading reading = { .recording = recording };
    const struct variable *x = recording_find(recording, "agents/x");
    if (!x || recording_rows(recording) == 0)
        return missing(&reading, "agents", error);
    reading.agents = variable_elements(x);
    enum status status = outcomes_grow(outcomes, reading.agents, error);
    if (status)
        return status;
    reading.outcome = outcomes->items + outcomes->count;
    status = read_all(&reading, keys, key_count, error);
    if (!status)
        outcomes->count += reading.agents;
    reading_release(&reading);
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
