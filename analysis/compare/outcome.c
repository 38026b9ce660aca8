/* SPDX-License-Identifier: MIT */
#include "analysis/compare/outcome.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void outcomes_release(struct outcomes *outcomes)
{
    for (size_t i = 0; i < outcomes->run_count; i++) {
        measured_release(outcomes->runs[i]);
        memory_release(outcomes->runs[i]);
        memory_release(outcomes->paths[i]);
    }
    for (size_t i = 0; i < outcomes->count; i++) {
        for (size_t k = 0; k < outcomes->key_count; k++)
            memory_release(outcomes->items[i].values[k]);
        memory_release(outcomes->items[i].values);
    }
    memory_release(outcomes->paths);
    memory_release(outcomes->runs);
    memory_release(outcomes->items);
    *outcomes = (struct outcomes){ 0 };
}

static bool is_same(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

bool who_has(const struct who *who, const struct outcome *outcome)
{
    return is_same(who->method, outcome->agent->method) &&
           is_same(who->group, outcome->group) &&
           is_same(who->shared, outcome->shared);
}

size_t outcomes_select(const struct outcomes *outcomes, const struct who *who,
                       const struct measured_agent **agents)
{
    size_t count = 0;
    for (size_t i = 0; i < outcomes->count; i++)
        if (who_has(who, &outcomes->items[i]))
            agents[count++] = outcomes->items[i].agent;
    return count;
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

static char **values_of(const struct recording *recording,
                        const char *const *keys, size_t key_count,
                        const char *agent)
{
    char **values = need_memory(key_count, sizeof *values);
    for (size_t i = 0; i < key_count; i++)
        values[i] = need_text(value_of(recording, keys[i], agent));
    return values;
}

/* ---- all data ---- */

static enum status check(const struct recording *recording, struct error *error)
{
    if (!recording_find(recording, "agents/x") ||
        recording_rows(recording) == 0)
        return missing(recording, "agents", error);
    enum status status = check_axes(recording, "agents/", error);
    if (!status)
        status = check_axes(recording, "agents/heading_", error);
    if (!status && recording_find(recording, "target/x"))
        status = check_axes(recording, "target/", error);
    return status;
}

enum status outcomes_read(const struct recording *recording,
                          const char *const *keys, size_t key_count,
                          struct outcomes *outcomes, struct error *error)
{
    enum status status = check(recording, error);
    if (status)
        return status;
    outcomes->runs = need_more(outcomes->runs, outcomes->run_count,
                               &outcomes->run_room, sizeof *outcomes->runs);
    outcomes->paths = need_more(outcomes->paths, outcomes->run_count,
                                &outcomes->path_room, sizeof *outcomes->paths);
    outcomes->paths[outcomes->run_count] = need_text(recording_path(recording));
    outcomes->key_count = key_count;
    struct measured *run = need_memory(1, sizeof *run);
    outcomes->runs[outcomes->run_count++] = run;
    status = measured_init(run, recording, MEASURED_PAIRS, error);
    run->number = outcomes->run_count - 1;
    for (size_t i = 0; i < run->agent_count && !status; i++) {
        outcomes->items = need_more(outcomes->items, outcomes->count,
                                    &outcomes->room, sizeof *outcomes->items);
        struct outcome *outcome = &outcomes->items[outcomes->count++];
        outcome->agent = &run->agents[i];
        outcome->values =
            values_of(recording, keys, key_count, outcome->agent->name);
        name_group(recording, keys, key_count, outcome->agent->name,
                   outcome->group);
        name_group(recording, keys, key_count, NULL, outcome->shared);
    }
    outcomes->limit = outcomes->run_count == 1
                          ? run->limit
                          : fmin(outcomes->limit, run->limit);
    return status;
}

/* ---- pairs with method lee ---- */

static int by_problem(const void *a, const void *b)
{
    const struct outcome *left = *(const struct outcome *const *)a;
    const struct outcome *right = *(const struct outcome *const *)b;
    if (left->agent->problem != right->agent->problem)
        return left->agent->problem < right->agent->problem ? -1 : 1;
    return strcmp(left->shared, right->shared);
}

void outcomes_pair(const struct outcomes *outcomes)
{
    size_t count = 0;
    const struct outcome **lee = need_memory(outcomes->count, sizeof *lee);
    for (size_t i = 0; i < outcomes->count; i++)
        if (strcmp(outcomes->items[i].agent->method, "lee") == 0 &&
            outcomes->items[i].agent->captured > 0)
            lee[count++] = &outcomes->items[i];
    qsort(lee, count, sizeof *lee, by_problem);
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *outcome = &outcomes->items[i];
        struct outcome **found =
            count ? bsearch(&outcome, lee, count, sizeof *lee, by_problem)
                  : NULL;
        if (found && strcmp(outcome->agent->method, "lee") != 0)
            outcome->agent->over_lee =
                outcome->agent->captured / (*found)->agent->captured;
    }
    memory_release(lee);
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
        const struct measured_agent *agent = outcomes->items[i].agent;
        stairs |= agent->run->moves == 4 && is_one_of(agent->method, by_moves);
        wave |= is_one_of(agent->method, by_waves);
    }
    return stairs && wave;
}
