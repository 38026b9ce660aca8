/* SPDX-License-Identifier: MIT */
#include "pursuit/route_chase.h"

#include "base/memory.h"
#include "pursuit/motion.h"
#include "search/search.h"
#include "wave/arrival.h"

#include <math.h>
#include <string.h>

/* The part of a path that is walked before the next plan: cells, the one that
 * is being entered first. */
struct route {
    int64_t next, count; /* cells[next … count − 1] are still to enter */
    int64_t planned;     /* step of the last plan, or −1 */
};

struct walker {
    size_t agent;
    struct search_workspace *workspace; /* shared, or its own for D* Lite */
    struct route route;
    int32_t *cells; /* (room) */
};

struct route_chase {
    struct agents *agents;
    const struct target *target;
    const struct terrain *terrain;
    const struct pursuit_settings *settings;
    struct passages *passages;
    struct search_workspace **workspaces; /* (workspace_count), owned */
    size_t workspace_count;
    struct walker *walkers;
    size_t walker_count, turn; /* turn: the next walker to plan */
    size_t room;               /* cells that a route keeps */
};

/* The search behind a method, or NULL where no route is followed. */
static const struct search *search_of(enum agent_method method)
{
    switch (method) {
    case METHOD_DIJKSTRA:
    case METHOD_ASTAR:
    case METHOD_FAST_MARCHING:
    case METHOD_DSTAR_LITE:
        return search_find(agent_method_names[method]);
    default:
        return NULL;
    }
}

bool route_chase_follows(enum agent_method method)
{
    return search_of(method) != NULL;
}

/* The workspace for an agent: each search has one that its agents share, but
 * D* Lite keeps what it found for one agent from plan to plan. */
static enum status workspace_for(struct route_chase *chase,
                                 enum agent_method method,
                                 struct search_workspace **workspace,
                                 struct error *error)
{
    const struct search *search = search_of(method);
    if (method != METHOD_DSTAR_LITE)
        for (size_t i = 0; i < chase->workspace_count; i++)
            if (chase->workspaces[i]->search == search) {
                *workspace = chase->workspaces[i];
                return STATUS_OK;
            }
    enum status status = search_workspace_new(search, chase->passages,
                                              chase->terrain, workspace, error);
    if (!status)
        chase->workspaces[chase->workspace_count++] = *workspace;
    return status;
}

static enum status walkers_new(struct route_chase *chase, struct error *error)
{
    const struct agents *agents = chase->agents;
    chase->walkers = memory_new(chase->walker_count, sizeof *chase->walkers);
    chase->workspaces =
        memory_new(chase->walker_count, sizeof *chase->workspaces);
    if (!chase->walkers || !chase->workspaces)
        return error_memory(error);
    size_t made = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < agents->count && !status; i++) {
        const struct agent_settings *settings = agents->settings[i];
        if (!search_of(settings->method))
            continue;
        struct walker *walker = &chase->walkers[made++];
        walker->agent = i;
        walker->route.planned = -1;
        walker->cells = memory_new(chase->room, sizeof *walker->cells);
        if (!walker->cells)
            return error_memory(error);
        status =
            workspace_for(chase, settings->method, &walker->workspace, error);
    }
    return status;
}

static enum status fill(struct route_chase *chase, struct error *error)
{
    const struct agents *agents = chase->agents;
    double fastest = 0;
    for (size_t i = 0; i < agents->count; i++)
        if (search_of(agents->settings[i]->method)) {
            chase->walker_count++;
            fastest = fmax(fastest, agents->settings[i]->speed);
        }
    if (!chase->walker_count)
        return STATUS_OK;
    /* What can be entered before the next plan, and both ends. */
    double reach = ceil(fastest * (double)chase->settings->replan) + 3;
    double cells = (double)grid_cells(&chase->terrain->grid);
    chase->room = (size_t)fmin(reach, cells);
    enum status status = passages_new(chase->terrain, chase->settings->moves,
                                      MEASURE_LENGTH, &chase->passages, error);
    return status ? status : walkers_new(chase, error);
}

enum status route_chase_new(struct agents *agents, const struct target *target,
                            const struct terrain *terrain,
                            const struct pursuit_settings *settings,
                            struct route_chase **chase, struct error *error)
{
    struct route_chase *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->agents = agents;
    made->target = target;
    made->terrain = terrain;
    made->settings = settings;
    enum status status = fill(made, error);
    if (status)
        route_chase_release(made);
    else
        *chase = made;
    return status;
}

void route_chase_release(struct route_chase *chase)
{
    if (!chase)
        return;
    for (size_t i = 0; chase->walkers && i < chase->walker_count; i++)
        memory_release(chase->walkers[i].cells);
    for (size_t i = 0; chase->workspaces && i < chase->workspace_count; i++)
        search_workspace_release(chase->workspaces[i]);
    memory_release(chase->walkers);
    memory_release(chase->workspaces);
    passages_release(chase->passages);
    memory_release(chase);
}

enum status route_chase_update(struct route_chase *chase, const struct box *box,
                               struct error *error)
{
    if (!chase->passages)
        return STATUS_OK;
    enum status status =
        passages_update(chase->passages, chase->terrain, box, error);
    for (size_t i = 0; i < chase->workspace_count && !status; i++)
        status = search_changed(chase->workspaces[i], box, error);
    return status;
}

static void position(const struct agents *agents, size_t agent,
                     double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = agents->at[axis][agent];
}

/* The cell that the walker is entering, or stands in. */
static size_t entered_cell(const struct route_chase *chase,
                           const struct walker *walker)
{
    const struct route *route = &walker->route;
    if (route->next < route->count)
        return (size_t)walker->cells[route->next];
    double at[GRID_AXES];
    position(chase->agents, walker->agent, at);
    return grid_nearest(&chase->terrain->grid, at);
}

static void take_path(const struct route_chase *chase, struct walker *walker,
                      const struct search_result *result)
{
    size_t kept =
        result->path_count < chase->room ? result->path_count : chase->room;
    for (size_t i = 0; i < kept; i++)
        walker->cells[i] = result->path[i];
    walker->route.next = 0;
    walker->route.count = (int64_t)kept;
}

bool route_chase_plan(struct route_chase *chase, int64_t step,
                      struct random *random, struct agent_plan *plan)
{
    if (step % chase->settings->replan != 0)
        return false;
    for (; chase->turn < chase->walker_count; chase->turn++) {
        struct walker *walker = &chase->walkers[chase->turn];
        if (chase->agents->state[walker->agent] == AGENT_CAPTURED ||
            walker->route.planned == step)
            continue;
        struct search_query query = {
            .from = entered_cell(chase, walker),
            .to = grid_nearest(&chase->terrain->grid, chase->target->at),
            .ties = chase->settings->ties == TIES_RANDOM ? random : NULL,
        };
        struct search_result result;
        search_run(walker->workspace, &query, &result);
        take_path(chase, walker, &result);
        walker->route.planned = step;
        *plan = (struct agent_plan){
            .agent = (int)walker->agent,
            .step = step,
            .expansions = (int64_t)result.expansions,
            .nanoseconds = result.nanoseconds,
            .path = result.path,
            .path_cells = result.path_count,
        };
        return true;
    }
    chase->turn = 0;
    return false;
}

/* Goes `left` cells far at most towards `goal`; what is left behind it. */
static double approach(double at[GRID_AXES], const double goal[GRID_AXES],
                       double left)
{
    double distance = motion_distance(at, goal);
    if (distance <= left) {
        memcpy(at, goal, GRID_AXES * sizeof *at);
        return left - distance;
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] += (goal[axis] - at[axis]) * (left / distance);
    return 0;
}

/* Walks the route as far as a step goes; stops before a cell that was walled
 * since the plan. */
static void walk(const struct route_chase *chase, struct walker *walker,
                 double at[GRID_AXES])
{
    struct route *route = &walker->route;
    double left = chase->agents->settings[walker->agent]->speed;
    while (left > 0 && route->next < route->count) {
        size_t cell = (size_t)walker->cells[route->next];
        if (chase->terrain->wall[cell]) {
            route->count = route->next;
            return;
        }
        int place[GRID_AXES];
        grid_cell(&chase->terrain->grid, cell, place);
        double goal[GRID_AXES] = { place[0], place[1], place[2] };
        left = approach(at, goal, left);
        if (left > 0)
            route->next++;
    }
    if (left > 0 && grid_nearest(&chase->terrain->grid, at) ==
                        grid_nearest(&chase->terrain->grid, chase->target->at))
        approach(at, chase->target->at, left);
}

void route_chase_move(struct route_chase *chase)
{
    struct agents *agents = chase->agents;
    for (size_t i = 0; i < chase->walker_count; i++) {
        struct walker *walker = &chase->walkers[i];
        size_t agent = walker->agent;
        if (agents->state[agent] == AGENT_CAPTURED)
            continue;
        double from[GRID_AXES], at[GRID_AXES], way[GRID_AXES],
            heading[GRID_AXES];
        position(agents, agent, from);
        memcpy(at, from, sizeof at);
        walk(chase, walker, at);
        for (int axis = 0; axis < GRID_AXES; axis++) {
            way[axis] = at[axis] - from[axis];
            agents->at[axis][agent] = at[axis];
        }
        bool moved = heading_unit(way, heading);
        agents->state[agent] = moved ? AGENT_MOVING : AGENT_STUCK;
        for (int axis = 0; moved && axis < GRID_AXES; axis++)
            agents->heading[axis][agent] = heading[axis];
    }
}

void route_chase_state(struct route_chase *chase, struct state *state)
{
    for (size_t i = 0; i < chase->walker_count; i++) {
        struct walker *walker = &chase->walkers[i];
        state_visit(state, &walker->route, sizeof walker->route);
        state_visit(state, walker->cells, chase->room * sizeof *walker->cells);
    }
}
