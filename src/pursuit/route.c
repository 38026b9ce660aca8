/* SPDX-License-Identifier: MIT */
#include "pursuit/route.h"

#include "base/memory.h"
#include "pursuit/motion.h"
#include "wave/arrival.h"

#include <math.h>
#include <string.h>

enum status route_init(struct route *route, const struct grid *grid,
                       double speed, int64_t replan, struct error *error)
{
    double reach = ceil(speed * (double)replan) + 3;
    *route = (struct route){ .planned = -1 };
    route->room = (size_t)fmin(reach, (double)grid_cells(grid) + 3);
    route->cells = memory_new(route->room, sizeof *route->cells);
    return route->cells ? STATUS_OK : error_memory(error);
}

void route_release(struct route *route)
{
    memory_release(route->cells);
    route->cells = NULL;
}

size_t route_cell(const struct route *route, const struct grid *grid,
                  const double at[GRID_AXES])
{
    return route->next < route->count ? (size_t)route->cells[route->next]
                                      : grid_nearest(grid, at);
}

void route_take(struct route *route, const int32_t *path, size_t count,
                int64_t step)
{
    size_t kept = count < route->room ? count : route->room;
    if (kept)
        memcpy(route->cells, path, kept * sizeof *path);
    memset(route->cells + kept, 0, (route->room - kept) * sizeof *path);
    route->next = 0;
    route->count = (int64_t)kept;
    route->planned = step;
}

double route_approach(double at[GRID_AXES], const double goal[GRID_AXES],
                      double distance)
{
    double whole = motion_distance(at, goal);
    if (whole <= distance) {
        memcpy(at, goal, GRID_AXES * sizeof *at);
        return distance - whole;
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] += (goal[axis] - at[axis]) * (distance / whole);
    return 0;
}

double route_walk(struct route *route, const struct terrain *terrain,
                  double distance, double at[GRID_AXES])
{
    while (distance > 0 && route->next < route->count) {
        size_t cell = (size_t)route->cells[route->next];
        if (terrain->wall[cell]) {
            route->count = route->next;
            return 0;
        }
        int place[GRID_AXES];
        grid_cell(&terrain->grid, cell, place);
        double goal[GRID_AXES] = { place[0], place[1], place[2] };
        distance = route_approach(at, goal, distance);
        if (distance > 0)
            route->next++;
    }
    return distance;
}

void route_follow(struct route *route, const struct terrain *terrain,
                  struct agents *agents, size_t agent, const double *target)
{
    const struct grid *grid = &terrain->grid;
    double at[GRID_AXES], way[GRID_AXES], heading[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = agents->at[axis][agent];
    double left =
        route_walk(route, terrain, agents->settings[agent]->speed, at);
    if (left > 0 && target &&
        grid_nearest(grid, at) == grid_nearest(grid, target))
        route_approach(at, target, left);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        way[axis] = at[axis] - agents->at[axis][agent];
        agents->at[axis][agent] = at[axis];
    }
    bool moved = heading_unit(way, heading);
    agents->state[agent] = moved ? AGENT_MOVING : AGENT_STUCK;
    for (int axis = 0; moved && axis < GRID_AXES; axis++)
        agents->heading[axis][agent] = heading[axis];
}

void route_state(struct route *route, const struct grid *grid,
                 struct state *state)
{
    const int64_t room = (int64_t)route->room;
    state_visit_whole(state, &route->next, 1, 0, room);
    state_visit_whole(state, &route->count, 1, 0, room);
    if (!state_holds(state, route->next <= route->count))
        route->next = route->count;
    state_visit_steps(state, &route->planned, 1);
    state_visit_index(state, route->cells, route->room, 0,
                      (int32_t)(grid_cells(grid) - 1));
}
