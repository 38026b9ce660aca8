/* SPDX-License-Identifier: MIT */
#include "pursuit/route.h"

#include "base/memory.h"
#include "wave/arrival/arrival.h"

#include <math.h>
#include <string.h>

enum status route_init(struct route *route, const struct terrain *terrain,
                       const double at[GRID_AXES], double speed, int64_t replan,
                       struct error *error)
{
    const double lean[GRID_AXES] = { 0 };
    double reach = ceil(speed * (double)replan) + 3;
    *route = (struct route){ .planned = -1 };
    route->cell = (int32_t)motion_cell_leaning(terrain, at, lean);
    route->left = route->cell;
    leg_begin(&route->leg, at);
    route->room = (size_t)fmin(reach, (double)grid_cells(&terrain->grid) + 3);
    route->cells = memory_new(route->room, sizeof *route->cells);
    return route->cells ? STATUS_OK : error_memory(error);
}

void route_release(struct route *route)
{
    memory_release(route->cells);
    route->cells = NULL;
}

static void centre_of(const struct grid *grid, size_t cell,
                      double centre[GRID_AXES])
{
    int place[GRID_AXES];
    grid_cell(grid, cell, place);
    for (int axis = 0; axis < GRID_AXES; axis++)
        centre[axis] = place[axis];
}

size_t route_cell(struct route *route, const struct terrain *terrain,
                  const double at[GRID_AXES])
{
    double centre[GRID_AXES];
    centre_of(&terrain->grid, (size_t)route->cell, centre);
    if (terrain->wall[route->cell] && !terrain->wall[route->left] &&
        motion_distance(at, centre) > 0) {
        int32_t back = route->left;
        route->left = route->cell;
        route->cell = back;
        leg_begin(&route->leg, at);
    }
    return (size_t)route->cell;
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

double route_walk(struct route *route, const struct terrain *terrain,
                  double distance, double at[GRID_AXES])
{
    while (distance > 0 && route->next < route->count) {
        int32_t cell = route->cells[route->next];
        double centre[GRID_AXES];
        if (terrain->wall[cell]) {
            route->count = route->next;
            return 0;
        }
        if (cell != route->cell)
            route->left = route->cell;
        route->cell = cell;
        centre_of(&terrain->grid, (size_t)cell, centre);
        distance = leg_go(&route->leg, centre, distance, at);
        if (distance > 0)
            route->next++;
    }
    return distance;
}

/* Is the position in the cell, or on its border? */
static bool is_in(const struct grid *grid, size_t cell,
                  const double at[GRID_AXES])
{
    double centre[GRID_AXES];
    centre_of(grid, cell, centre);
    bool in = true;
    for (int axis = 0; axis < GRID_AXES; axis++)
        in = in && fabs(at[axis] - centre[axis]) <= .5;
    return in;
}

void route_end_step(struct agents *agents, size_t agent, struct leg *leg,
                    const struct grid *grid, size_t cell, double at[GRID_AXES],
                    double left, const struct target *target)
{
    double way[GRID_AXES], heading[GRID_AXES];
    if (left > 0 && target && (size_t)target->cell == cell &&
        is_in(grid, cell, at)) {
        leg_begin(leg, at);
        leg_go(leg, target->at, left, at);
        leg_begin(leg, at);
    }
    for (int axis = 0; axis < GRID_AXES; axis++) {
        way[axis] = at[axis] - agents->at[axis][agent];
        agents->at[axis][agent] = at[axis];
    }
    bool moved = heading_unit(way, heading);
    agents->state[agent] = moved ? AGENT_MOVING : AGENT_STUCK;
    for (int axis = 0; moved && axis < GRID_AXES; axis++)
        agents->heading[axis][agent] = heading[axis];
}

void route_follow(struct route *route, const struct terrain *terrain,
                  struct agents *agents, size_t agent,
                  const struct target *target)
{
    double at[GRID_AXES];
    agents_place(agents, agent, at);
    double left =
        route_walk(route, terrain, agents->settings[agent]->speed, at);
    route_end_step(agents, agent, &route->leg, &terrain->grid,
                   (size_t)route->cell, at, left, target);
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
    const int32_t last = (int32_t)(grid_cells(grid) - 1);
    state_visit_index(state, route->cells, route->room, 0, last);
    state_visit_index(state, &route->left, 1, 0, last);
    state_visit_index(state, &route->cell, 1, 0, last);
    leg_state(&route->leg, grid, state);
}
