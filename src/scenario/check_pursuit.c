/* SPDX-License-Identifier: MIT */
/* Agents, their names and methods, the target's motion, the moves. */
#include "base/memory.h"
#include "base/real.h"
#include "pursuit/agents.h"
#include "pursuit/motion.h"
#include "scenario/load.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct named_agent {
    const char *name;
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

/* The first name that two agents share, reported at the later entry. */
static enum status check_unique(const struct load *load,
                                struct named_agent *agents, size_t count)
{
    qsort(agents, count, sizeof *agents, by_name);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(agents[i].name, agents[i - 1].name) != 0)
            continue;
        return load_fault_path(
            load, ITEM_PATH("agents", agents[i].entry, "name"),
            "agents.[%zu] has an agent %s too; names must differ",
            agents[i - 1].entry, agents[i].name);
    }
    return STATUS_OK;
}

static enum status check_names(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    size_t total = scenario_agents(scenario), used = 0;
    if (total > AGENTS_LIMIT)
        return load_fault_path(load, "agents",
                               "%zu agents; at most %d are allowed", total,
                               AGENTS_LIMIT);
    struct named_agent *agents = memory_new(total, sizeof *agents);
    char **names = NULL;
    enum status status =
        agents ? agent_names_new(scenario->agents, scenario->agent_count,
                                 &names, load->error)
               : error_memory(load->error);
    for (size_t i = 0; i < scenario->agent_count && !status; i++)
        for (int j = 0; j < scenario->agents[i].count; j++, used++)
            agents[used] = (struct named_agent){ names[used], i };
    if (!status)
        status = check_unique(load, agents, used);
    agent_names_release(names, total);
    memory_release(agents);
    return status;
}

enum status load_check_name(const struct load *load, const char *list, size_t i,
                            const char *name)
{
    if (name && !*name)
        return load_fault_path(load, ITEM_PATH(list, i, "name"),
                               "is empty; a name is expected");
    return STATUS_OK;
}

/* The methods whose agents may wander: "dijkstra, astar and relay". */
static const char *wanderers(char text[200])
{
    size_t used = 0, left = 0;
    for (size_t i = 0; agent_methods[i]; i++)
        left += agent_methods[i]->wanders;
    for (size_t i = 0; agent_methods[i]; i++)
        if (agent_methods[i]->wanders)
            used += (size_t)snprintf(text + used, 200 - used, "%s%s",
                                     agent_methods[i]->name,
                                     --left > 1 ? ", "
                                     : left     ? " and "
                                                : "");
    return text;
}

static enum status check_method(const struct load *load, size_t i)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct agent_settings *agent = &scenario->agents[i];
    const struct method *method = agent_methods[agent->method];
    const char *path = ITEM_PATH("agents", i, "method");
    if (method->waves && !scenario->has_wave)
        return load_fault_path(load, path,
                               "\"%s\", and there are no waves; a group "
                               "wave, or another method is allowed",
                               method->name);
    if (method->own_waves && scenario->arrival.detector->own_wave)
        return load_fault_path(
            load, path,
            "\"%s\" requires a detector of the plain amplitude; any "
            "arrival.detector except laplace is allowed",
            method->name);
    if (method->flat && scenario->terrain.grid.dims != 2)
        return load_fault_path(
            load, path, "\"%s\" is for 2D maps; another method is required",
            method->name);
    if (agent->goal_random && !method->wanders)
        return load_fault_path(
            load, path,
            "\"%s\" needs a target's waves or other agents; goal \"random\" is "
            "for %s",
            method->name, wanderers((char[200]){ 0 }));
    if (!agent->goal_random && !scenario->has_target)
        return load_fault_path(
            load, ITEM_PATH("agents", i, "goal"),
            "there is no target to pursue; a group target, or "
            "goal \"random\" is expected");
    return STATUS_OK;
}

static enum status check_distance(const struct load *load, size_t i)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct grid *grid = &scenario->terrain.grid;
    double diagonal = sqrt((double)(grid->nx - 1) * (grid->nx - 1) +
                           (double)(grid->ny - 1) * (grid->ny - 1) +
                           (double)(grid->nz - 1) * (grid->nz - 1));
    if (scenario->agents[i].place.min_distance > diagonal)
        return load_fault_path(
            load, ITEM_PATH("agents", i, "min_distance"),
            "%s is more than the map's diagonal; up to %.6g "
            "is allowed",
            REAL_TEXT(scenario->agents[i].place.min_distance), diagonal);
    return STATUS_OK;
}

static bool has_free_cell(const struct terrain *terrain)
{
    return memchr(terrain->wall, 0, grid_cells(&terrain->grid));
}

/* A random place on a map without a suitable cell. */
static enum status check_room(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    bool random = scenario->has_target && scenario->target.place.random;
    for (size_t i = 0; i < scenario->agent_count; i++)
        random = random || scenario->agents[i].place.random;
    if (random && !has_free_cell(&scenario->terrain))
        return load_fault_path(
            load, "map",
            "has no free cell for at = \"random\"; one at least "
            "is expected");
    return STATUS_OK;
}

static enum status check_moves(struct load *load)
{
    struct scenario *scenario = &load->draft->scenario;
    int dims = scenario->terrain.grid.dims, *moves = &scenario->pursuit.moves;
    if (!*moves)
        *moves = atoi(key_default_of_axes(key_of("pursuit.moves"), dims));
    if (*moves == 2 * dims || *moves == (dims == 2 ? 8 : 26))
        return STATUS_OK;
    return load_fault_path(load, "pursuit.moves",
                           "%d on a map of %d axes; %s is allowed", *moves,
                           dims, dims == 2 ? "4 or 8" : "6 or 26");
}

static enum status check_target(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    if (scenario->has_target && scenario->target.motion == MOTION_WAYPOINTS &&
        scenario->target.waypoint_count == 0)
        return load_fault_path(
            load, "target.waypoints",
            "is missing or empty; motion \"waypoints\" expects "
            "([x, y], ...)");
    return STATUS_OK;
}

/* Positions are exact on axes up to a maximum length; see pursuit/motion.h. */
static enum status check_extents(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct grid *grid = &scenario->terrain.grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (extent[axis] > MOTION_CELLS_MOST &&
            (scenario->has_target || scenario->agent_count))
            return load_fault_path(
                load, "map",
                "has %d cells along %c; with agents or a target "
                "at most %d are allowed",
                extent[axis], "xyz"[axis], MOTION_CELLS_MOST);
    return STATUS_OK;
}

static void settle_steering(struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->agent_count; i++) {
        struct agent_settings *agent = &scenario->agents[i];
        if (!agent->has_steering)
            agent->steering = scenario->pursuit.steering;
    }
}

enum status load_settle_pursuit(struct load *load)
{
    settle_steering(&load->draft->scenario);
    enum status status = check_moves(load);
    if (!status)
        status = check_extents(load);
    if (!status)
        status = check_target(load);
    if (!status)
        status = check_room(load);
    for (size_t i = 0; !status && i < load->draft->scenario.agent_count; i++) {
        status = load_check_name(load, "agents", i,
                                 load->draft->scenario.agents[i].name);
        if (!status)
            status = check_method(load, i);
        if (!status)
            status = check_distance(load, i);
    }
    return status ? status : check_names(load);
}
