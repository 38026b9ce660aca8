/* SPDX-License-Identifier: MIT */
/* A target that runs from its pursuers. It plans every `replan` steps from the
 * cell that it is entering, and walks from cell centre to cell centre between
 * plans.
 *
 *   evade          to the neighbour where the mean of the pursuers' costs is
 *                  highest, repeatedly; it may not choose to stay
 *                  (the pincer paper, 2025, §3.2)
 *   farthest-safe  along a shortest path to the cell that the nearest pursuer
 *                  needs the longest time for, of those the evader reaches
 *                  before any pursuer, its own cell included; of several, the
 *                  nearest to itself
 *
 * Costs are Dijkstra's by the pursuit's moves and are measured from the cell
 * that a pursuer is in, or half-way between two cells from the one that it
 * walks to. Times, for farthest-safe, are costs divided by speeds. The mean is
 * taken over the pursuers that can reach the evader's cell; if there is none,
 * it stays. A cell that one of them does not reach (beyond one-way cells) has
 * an infinite threat. Ties are random or fixed (the first move, the first cell)
 * as the pursuit's are; random ones are drawn from target->random.
 *
 * Agents that wander are no threat; agents that have captured the target still
 * are. Its plan comes after those of the pursuers. */
#include "base/memory.h"
#include "pursuit/chase.h"
#include "pursuit/route.h"
#include "search/search.h"

#include <math.h>
#include <string.h>

struct evader {
    struct chase_view view;
    struct passages *passages;
    struct search_workspace *workspace;
    /* (cells) the sum of the pursuers' costs, or the nearest one's time. */
    double *threat;
    size_t threats; /* pursuers that can reach the evader */
    struct route route;
};

static bool evades(const struct chase_view *view)
{
    const struct target *target = view->target;
    return target->settings &&
           (target->settings->motion == MOTION_EVADE ||
            target->settings->motion == MOTION_FARTHEST_SAFE);
}

static enum status init(void *of, struct error *error)
{
    struct evader *evader = of;
    const struct terrain *terrain = evader->view.terrain;
    const struct pursuit_settings *settings = evader->view.settings;
    evader->threat =
        memory_new(grid_cells(&terrain->grid), sizeof *evader->threat);
    if (!evader->threat)
        return error_memory(error);
    enum status status = route_init(
        &evader->route, terrain, evader->view.target->at,
        evader->view.target->settings->speed, settings->replan, error);
    if (!status)
        status = passages_new_mirrored(terrain, settings->moves,
                                       settings->measure, evader->view.mirror,
                                       &evader->passages, error);
    if (!status)
        status = search_workspace_new(search_find("dijkstra"), evader->passages,
                                      terrain, &evader->workspace, error);
    return status;
}

static void release(void *of)
{
    struct evader *evader = of;
    route_release(&evader->route);
    search_workspace_release(evader->workspace);
    passages_release(evader->passages);
    memory_release(evader->threat);
}

static enum status update(void *of, const struct box *box, struct error *error)
{
    struct evader *evader = of;
    enum status status =
        passages_update(evader->passages, evader->view.terrain, box, error);
    return status ? status : search_changed(evader->workspace, box, error);
}

/* ---- threats ---- */

static void take_costs(struct evader *evader, size_t from)
{
    struct search_query query = { .from = from, .to = SEARCH_EVERYWHERE };
    struct search_result result;
    search_run(evader->workspace, &query, &result);
}

/* The cell from which a pursuer's costs are measured: half-way between two
 * cells, the one that it walks to. */
static size_t pursuer_cell(const struct evader *evader, size_t agent)
{
    const struct agents *agents = evader->view.agents;
    double at[GRID_AXES], heading[GRID_AXES];
    agents_place(agents, agent, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        heading[axis] = agents->heading[axis][agent];
    return motion_cell_leaning(evader->view.terrain, at, heading);
}

/* Adds one pursuer's costs to the sum, or takes the minimum with its times. A
 * pursuer inside a wall is no threat. Costs of a pursuer that cannot reach the
 * evader's cell `to` are not added. */
static void threaten(struct evader *evader, size_t agent, size_t to,
                     bool by_time)
{
    const struct terrain *terrain = evader->view.terrain;
    double speed = evader->view.agents->settings[agent]->speed;
    size_t cells = grid_cells(&terrain->grid);
    size_t from = pursuer_cell(evader, agent);
    if (terrain->wall[from])
        return;
    take_costs(evader, from);
    if (!by_time && isinf(search_distance(evader->workspace, to)))
        return;
    evader->threats++;
    for (size_t cell = 0; cell < cells; cell++) {
        double cost = search_distance(evader->workspace, cell);
        if (!by_time)
            evader->threat[cell] += cost;
        else if (speed > 0)
            evader->threat[cell] = fmin(evader->threat[cell], cost / speed);
    }
}

static void take_threats(struct evader *evader, size_t from, bool by_time)
{
    size_t cells = grid_cells(&evader->view.terrain->grid);
    evader->threats = 0;
    for (size_t cell = 0; cell < cells; cell++)
        evader->threat[cell] = by_time ? INFINITY : 0;
    for (size_t i = 0; i < evader->view.agents->count; i++)
        if (!evader->view.agents->settings[i]->goal_random)
            threaten(evader, i, from, by_time);
}

/* ---- the plans ---- */

/* Does this candidate replace the one kept so far? `ties` candidates before it
 * were equal. Of n equal candidates each remains with probability 1/n. */
static bool replaces(struct random *random, uint64_t ties)
{
    return random && random_below(random, ties + 1) == 0;
}

/* The neighbour of `cell` with the highest sum of threats (so also the highest
 * mean); `cell` if it has no allowed neighbour. */
static size_t highest_neighbour(const struct evader *evader, size_t cell,
                                struct random *random)
{
    const struct passages *passages = evader->passages;
    int32_t at = passages_index(passages, cell);
    double highest = -1;
    uint64_t equal = 0;
    for (uint32_t open = passages->open[at]; open; open &= open - 1) {
        size_t to =
            passages_cell(passages, at + passages->offset[__builtin_ctz(open)]);
        double threat = evader->threat[to];
        if (threat > highest)
            equal = 0;
        if (threat > highest ||
            (threat == highest && replaces(random, equal))) {
            highest = threat;
            cell = to;
        }
        equal += threat == highest;
    }
    return cell;
}

/* Climbs the threat for as many cells as are walked before the next plan. */
static void plan_climb(struct evader *evader, size_t from, int64_t step,
                       struct random *random)
{
    struct route *route = &evader->route;
    take_threats(evader, from, false);
    size_t cell = from;
    int32_t first = (int32_t)from;
    route_take(route, &first, 1, step);
    while (evader->threats && (size_t)route->count < route->room) {
        size_t to = highest_neighbour(evader, cell, random);
        if (to == cell)
            return;
        route->cells[route->count++] = (int32_t)to;
        cell = to;
    }
}

/* The i-th cell in the order of cells, mirrored as the moves are. */
static size_t cell_in_order(const struct evader *evader, size_t i)
{
    const struct grid *grid = &evader->view.terrain->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    int at[GRID_AXES];
    if (!evader->view.mirror)
        return i;
    grid_cell(grid, i, at);
    for (int axis = 0; axis < grid_axes(grid); axis++)
        if (evader->view.mirror >> axis & 1)
            at[axis] = extent[axis] - 1 - at[axis];
    return grid_index(grid, at[0], at[1], at[2]);
}

/* The cell to run to, by the rule in the header. The workspace has the evader's
 * own `costs`. */
static size_t safest_cell(const struct evader *evader, size_t from,
                          struct random *random)
{
    size_t cells = grid_cells(&evader->view.terrain->grid), best = from;
    double speed = evader->view.target->settings->speed;
    double best_threat = evader->threat[from], best_cost = 0;
    uint64_t equal = 1;
    for (size_t i = 0; i < cells; i++) {
        size_t cell = cell_in_order(evader, i);
        double cost = search_distance(evader->workspace, cell);
        double threat = evader->threat[cell];
        if (cell == from || threat < best_threat || isinf(cost) ||
            !(cost < threat * speed))
            continue;
        bool better = threat > best_threat || cost < best_cost;
        if (!better && cost > best_cost)
            continue;
        if (better)
            equal = 0;
        if (better || replaces(random, equal)) {
            best = cell;
            best_threat = threat;
            best_cost = cost;
        }
        equal++;
    }
    return best;
}

static void plan_flight(struct evader *evader, size_t from, int64_t step,
                        struct random *random)
{
    take_threats(evader, from, true);
    take_costs(evader, from);
    struct search_query query = {
        .from = from,
        .to = safest_cell(evader, from, random),
        .ties = random,
    };
    struct search_result result;
    search_run(evader->workspace, &query, &result);
    route_take(&evader->route, result.path, result.path_count, step);
}

static bool plan(void *of, int64_t step, struct agent_plan *plan)
{
    struct evader *evader = of;
    (void)plan; /* it is not an agent's */
    if (step % evader->view.settings->replan != 0 ||
        evader->route.planned == step)
        return false;
    const struct terrain *terrain = evader->view.terrain;
    size_t from = route_cell(&evader->route, terrain, evader->view.target->at);
    struct random *random = evader->view.settings->ties == TIES_RANDOM
                                ? &evader->view.target->random
                                : NULL;
    if (terrain->wall[from])
        route_take(&evader->route, NULL, 0, step);
    else if (evader->view.target->settings->motion == MOTION_EVADE)
        plan_climb(evader, from, step, random);
    else
        plan_flight(evader, from, step, random);
    return false;
}

static void move(void *of)
{
    struct evader *evader = of;
    struct target *target = evader->view.target;
    double from[GRID_AXES], way[GRID_AXES], heading[GRID_AXES];
    memcpy(from, target->at, sizeof from);
    route_walk(&evader->route, evader->view.terrain, target->settings->speed,
               target->at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = target->at[axis] - from[axis];
    if (heading_unit(way, heading))
        memcpy(target->heading, heading, sizeof heading);
}

static void state(void *of, struct state *state)
{
    struct evader *evader = of;
    route_state(&evader->route, &evader->view.terrain->grid, state);
}

const struct chase_kind evasion = {
    .size = sizeof(struct evader),
    .needed = evades,
    .init = init,
    .release = release,
    .update = update,
    .plan = plan,
    .move = move,
    .state = state,
};
