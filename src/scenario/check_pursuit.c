/* SPDX-License-Identifier: MIT */
/* Agents, their names and methods, the target's motion, the moves. */
#include "base/memory.h"
#include "base/real.h"
#include "scenario/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGENT_PATH_SIZE = 64, FULL_NAME_SIZE = LONGEST_NAME + 24 };

struct named_agent {
    char name[FULL_NAME_SIZE];
    size_t entry;
};

static int by_name(const void *a, const void *b)
{
    const struct named_agent *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    if (order)
        return order;
    return left->entry < right->entry ? -1 : left->entry > right->entry;
}

static void agent_path(char path[AGENT_PATH_SIZE], size_t i, const char *key)
{
    snprintf(path, AGENT_PATH_SIZE, "agents.[%zu].%s", i, key);
}

/* The first name that two agents share, told of the later entry. */
static enum status check_unique(const struct load *load,
                                struct named_agent *agents, size_t count)
{
    qsort(agents, count, sizeof *agents, by_name);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(agents[i].name, agents[i - 1].name) != 0)
            continue;
        char path[AGENT_PATH_SIZE];
        agent_path(path, agents[i].entry, "name");
        return fault_path(load, path,
                          "agents.[%zu] has an agent %s too; names must differ",
                          agents[i - 1].entry, agents[i].name);
    }
    return STATUS_OK;
}

static enum status check_names(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    size_t total = 0, used = 0;
    for (size_t i = 0; i < scenario->agent_count; i++)
        total += (size_t)scenario->agents[i].count;
    if (total > AGENTS_LIMIT)
        return fault_path(load, "agents", "%zu agents; at most %d are allowed",
                          total, AGENTS_LIMIT);
    struct named_agent *agents = memory_new(total, sizeof *agents);
    if (!agents)
        return error_memory(load->error);
    for (size_t i = 0; i < scenario->agent_count; i++) {
        const struct agent_settings *entry = &scenario->agents[i];
        for (int j = 1; j <= entry->count; j++, used++) {
            agents[used].entry = i;
            size_t length = strlen(entry->name);
            memcpy(agents[used].name, entry->name, length + 1);
            if (entry->count > 1)
                snprintf(agents[used].name + length, FULL_NAME_SIZE - length,
                         "%d", j);
        }
    }
    enum status status = check_unique(load, agents, used);
    memory_release(agents);
    return status;
}

static enum status give_name(struct load *load, size_t i)
{
    struct agent_settings *agent = &load->draft->scenario.agents[i];
    char name[32], path[AGENT_PATH_SIZE];
    agent_path(path, i, "name");
    if (agent->name && !*agent->name)
        return fault_path(load, path, "is empty; a name is expected");
    if (agent->name)
        return STATUS_OK;
    snprintf(name, sizeof name, "agent%zu", i + 1);
    agent->name = memory_text(name);
    return agent->name ? STATUS_OK : error_memory(load->error);
}

static enum status check_method(const struct load *load, size_t i)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct agent_settings *agent = &scenario->agents[i];
    char path[AGENT_PATH_SIZE];
    agent_path(path, i, "method");
    if (agent->method == METHOD_WAVE && !scenario->has_wave)
        return fault_path(load, path,
                          "\"wave\", and no wave runs; a group wave, or "
                          "another method is allowed");
    if (agent->method == METHOD_WAVE_PINCER &&
        detector_sums(scenario->arrival.detector))
        return fault_path(load, path,
                          "\"wave-pincer\" wants a detector of the plain "
                          "amplitude; any arrival.detector but laplace and "
                          "laplace-front is allowed");
    if (agent->method == METHOD_RELAY && scenario->terrain.grid.dims != 2)
        return fault_path(load, path,
                          "\"relay\" goes along streets of a 2D map; another "
                          "method is allowed");
    if (agent->goal_random &&
        (agent->method == METHOD_WAVE || agent->method == METHOD_LEE ||
         agent->method == METHOD_PINCER || agent->method == METHOD_WAVE_PINCER))
        return fault_path(load, path,
                          "\"%s\" goes by what the target sends or by where "
                          "the others run; goal \"random\" is for dijkstra, "
                          "astar, fast-marching, dstar-lite and relay",
                          agent_method_names[agent->method]);
    if (!agent->goal_random && !scenario->has_target) {
        agent_path(path, i, "goal");
        return fault_path(load, path,
                          "there is no target to pursue; a group target, or "
                          "goal \"random\" is expected");
    }
    return STATUS_OK;
}

static enum status check_distance(const struct load *load, size_t i)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct grid *grid = &scenario->terrain.grid;
    double diagonal = sqrt((double)(grid->nx - 1) * (grid->nx - 1) +
                           (double)(grid->ny - 1) * (grid->ny - 1) +
                           (double)(grid->nz - 1) * (grid->nz - 1));
    char path[AGENT_PATH_SIZE];
    agent_path(path, i, "min_distance");
    if (scenario->agents[i].place.min_distance > diagonal)
        return fault_path(load, path,
                          "%s is more than the map's diagonal; up to %.6g "
                          "is allowed",
                          REAL_TEXT(scenario->agents[i].place.min_distance),
                          diagonal);
    return STATUS_OK;
}

static bool has_free_cell(const struct terrain *terrain)
{
    return memchr(terrain->wall, 0, grid_cells(&terrain->grid));
}

/* A random place, where there is room for none. */
static enum status check_room(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    bool random = scenario->has_target && scenario->target.place.random;
    for (size_t i = 0; i < scenario->agent_count; i++)
        random = random || scenario->agents[i].place.random;
    if (random && !has_free_cell(&scenario->terrain))
        return fault_path(load, "map",
                          "has no free cell for at = \"random\"; one at least "
                          "is expected");
    return STATUS_OK;
}

static enum status check_moves(struct load *load)
{
    struct scenario *scenario = &load->draft->scenario;
    int dims = scenario->terrain.grid.dims, *moves = &scenario->pursuit.moves;
    if (!*moves)
        *moves = 2 * dims;
    if (*moves == 2 * dims || *moves == (dims == 2 ? 8 : 26))
        return STATUS_OK;
    return fault_path(load, "pursuit.moves",
                      "%d on a map of %d axes; %s is allowed", *moves, dims,
                      dims == 2 ? "4 or 8" : "6 or 26");
}

static enum status check_target(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    if (scenario->has_target && scenario->target.motion == MOTION_WAYPOINTS &&
        scenario->target.waypoint_count == 0)
        return fault_path(load, "target.waypoints",
                          "is missing or empty; motion \"waypoints\" expects "
                          "([x, y], ...)");
    return STATUS_OK;
}

enum status pursuit_settle(struct load *load)
{
    enum status status = check_moves(load);
    if (!status)
        status = check_target(load);
    if (!status)
        status = check_room(load);
    for (size_t i = 0; !status && i < load->draft->scenario.agent_count; i++) {
        status = give_name(load, i);
        if (!status)
            status = check_method(load, i);
        if (!status)
            status = check_distance(load, i);
    }
    return status ? status : check_names(load);
}
