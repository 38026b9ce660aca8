/* SPDX-License-Identifier: MIT */
/* Agents that follow paths of the searches: every `replan` steps a search from
 * the cell that is being entered to the target's cell; between searches they
 * walk from cell centre to cell centre, and after the end of the path straight
 * to the target. An agent without a path stays in place, stuck.
 *
 * Agents that wander go from one random goal to the next: another is drawn at
 * the first plan after the goal was reached, or after a plan that found no
 * path. Each draws goals from one stream of its own, and random ties from
 * another. After a restart D* Lite begins anew, and finds the same
 * distances. */
#include "base/memory.h"
#include "pursuit/chase.h"
#include "pursuit/goals.h"
#include "pursuit/route.h"
#include "search/search.h"

struct walker {
    size_t agent;
    struct search_workspace *workspace; /* shared, or its own for D* Lite */
    struct route route;
    int64_t goal; /* the cell that a wanderer walks to, or −1 */
    struct random goals, ties;
};

struct route_chase {
    struct chase_view view;
    struct passages *passages;
    struct search_workspace **workspaces; /* (workspace_count), owned */
    size_t workspace_count;
    struct walker *walkers; /* (view.count) */
    size_t turn;            /* the next walker to plan */
    struct goals goals;     /* of those that wander */
};

/* The workspace for an agent: the agents of a search share one, but D* Lite
 * keeps its results for each agent from plan to plan. */
static enum status workspace_for(struct route_chase *chase,
                                 enum agent_method method,
                                 struct search_workspace **workspace,
                                 struct error *error)
{
    const struct search *search =
        search_find(chase->view.methods[method]->name);
    if (method != METHOD_DSTAR_LITE)
        for (size_t i = 0; i < chase->workspace_count; i++)
            if (chase->workspaces[i]->search == search) {
                *workspace = chase->workspaces[i];
                return STATUS_OK;
            }
    enum status status = search_workspace_new(
        search, chase->passages, chase->view.terrain, workspace, error);
    if (!status)
        chase->workspaces[chase->workspace_count++] = *workspace;
    return status;
}

static enum status walkers_new(struct route_chase *chase, struct error *error)
{
    const struct agents *agents = chase->view.agents;
    chase->walkers = memory_new(chase->view.count, sizeof *chase->walkers);
    chase->workspaces =
        memory_new(chase->view.count, sizeof *chase->workspaces);
    if (!chase->walkers || !chase->workspaces)
        return error_memory(error);
    size_t made = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < agents->count && !status; i++) {
        const struct agent_settings *settings = agents->settings[i];
        if (!chase_steers(&chase->view, i))
            continue;
        struct walker *walker = &chase->walkers[made++];
        double at[GRID_AXES];
        agents_place(agents, i, at);
        walker->agent = i;
        walker->goal = -1;
        goals_stream(&walker->goals, agents, i);
        random_stream(&walker->ties, agents->seed, "ties", agents->stream[i]);
        status =
            route_init(&walker->route, chase->view.terrain, at, settings->speed,
                       chase->view.settings->replan, error);
        if (!status)
            status = workspace_for(chase, settings->method, &walker->workspace,
                                   error);
    }
    return status;
}

static enum status init(void *of, struct error *error)
{
    struct route_chase *chase = of;
    enum status status =
        passages_new_mirrored(chase->view.terrain, chase->view.settings->moves,
                              chase->view.settings->measure, chase->view.mirror,
                              &chase->passages, error);
    if (!status)
        status = walkers_new(chase, error);
    if (!status)
        status = goals_init(&chase->goals, chase->view.terrain, error);
    return status;
}

static void release(void *of)
{
    struct route_chase *chase = of;
    for (size_t i = 0; chase->walkers && i < chase->view.count; i++)
        route_release(&chase->walkers[i].route);
    for (size_t i = 0; chase->workspaces && i < chase->workspace_count; i++)
        search_workspace_release(chase->workspaces[i]);
    memory_release(chase->walkers);
    memory_release(chase->workspaces);
    passages_release(chase->passages);
    goals_release(&chase->goals);
}

static enum status update(void *of, const struct box *box, struct error *error)
{
    struct route_chase *chase = of;
    enum status status =
        passages_update(chase->passages, chase->view.terrain, box, error);
    for (size_t i = 0; i < chase->workspace_count && !status; i++)
        status = search_changed(chase->workspaces[i], box, error);
    goals_list(&chase->goals, chase->view.terrain);
    return status;
}

/* The cell that the walker is entering or occupies. */
static size_t entered_cell(const struct route_chase *chase,
                           struct walker *walker)
{
    double at[GRID_AXES];
    agents_place(chase->view.agents, walker->agent, at);
    return route_cell(&walker->route, chase->view.terrain, at);
}

static bool wanders(const struct route_chase *chase,
                    const struct walker *walker)
{
    return chase->view.agents->settings[walker->agent]->goal_random;
}

/* The goal: the target, or the goal that was drawn. A wanderer draws another if
 * it has reached its goal, or if no path to it was found. */
static size_t goal_of(struct route_chase *chase, struct walker *walker,
                      size_t from)
{
    size_t goal = from;
    if (!wanders(chase, walker))
        return (size_t)chase->view.target->cell;
    if (walker->goal >= 0 && (size_t)walker->goal != from)
        return (size_t)walker->goal;
    walker->goal = -1;
    if (goals_draw(&chase->goals, from, &walker->goals, &goal))
        walker->goal = (int64_t)goal;
    return goal;
}

static bool plan(void *of, int64_t step, struct agent_plan *plan)
{
    struct route_chase *chase = of;
    if (step % chase->view.settings->replan != 0)
        return false;
    for (; chase->turn < chase->view.count; chase->turn++) {
        struct walker *walker = &chase->walkers[chase->turn];
        if (chase->view.agents->state[walker->agent] == AGENT_CAPTURED ||
            walker->route.planned == step)
            continue;
        size_t from = entered_cell(chase, walker);
        struct search_query query = {
            .from = from,
            .to = goal_of(chase, walker, from),
            .ties = chase->view.settings->ties == TIES_RANDOM ? &walker->ties
                                                              : NULL,
        };
        struct search_result result;
        if (!search_run(walker->workspace, &query, &result))
            walker->goal = -1;
        route_take(&walker->route, result.path, result.path_count, step);
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

static void move(void *of)
{
    struct route_chase *chase = of;
    for (size_t i = 0; i < chase->view.count; i++) {
        struct walker *walker = &chase->walkers[i];
        if (chase->view.agents->state[walker->agent] != AGENT_CAPTURED)
            route_follow(&walker->route, chase->view.terrain,
                         chase->view.agents, walker->agent,
                         wanders(chase, walker) ? NULL : chase->view.target);
    }
}

static void state(void *of, struct state *state)
{
    struct route_chase *chase = of;
    const struct grid *grid = &chase->view.terrain->grid;
    const int64_t cells = (int64_t)grid_cells(grid);
    for (size_t i = 0; i < chase->view.count; i++) {
        struct walker *walker = &chase->walkers[i];
        route_state(&walker->route, grid, state);
        state_visit_whole(state, &walker->goal, 1, -1, cells - 1);
        state_visit_random(state, &walker->goals);
        state_visit_random(state, &walker->ties);
    }
    if (state->mode == STATE_LOAD)
        goals_list(&chase->goals, chase->view.terrain);
}

const struct chase_kind route_chase = {
    .size = sizeof(struct route_chase),
    .init = init,
    .release = release,
    .update = update,
    .plan = plan,
    .move = move,
    .state = state,
};
