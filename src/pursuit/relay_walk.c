/* SPDX-License-Identifier: MIT */
#include "pursuit/relay_walk.h"

#include "base/memory.h"
#include "pursuit/goals.h"
#include "pursuit/route.h"

struct walker {
    size_t agent;
    struct relay_walker relay;
    struct random random;  /* of its goals */
    struct relay_node at;  /* the cell that is being entered, or occupied */
    struct relay_node leg; /* where the leg ends */
    struct leg way;        /* to the centre of `at` */
    bool has_goal, ask;    /* ask: take the target's cell at the next centre */
    /* What the next plan reports. */
    int32_t nodes[RELAY_NODES_MOST];
    int32_t node_count;
    int64_t searches, nanoseconds; /* since the last plan */
};

struct relay_walk {
    struct chase_view view;
    /* as printed in the article, and the second variant */
    struct relay_settings relay[2];
    struct passages *passages;
    struct goals goals;
    struct walker *walkers; /* (view.count) */
    size_t turn;            /* the next walker to report its plan */
    struct relay_counters counters;
};

static struct relay_node node_of(const struct grid *grid, size_t cell)
{
    int at[GRID_AXES];
    grid_cell(grid, cell, at);
    return (struct relay_node){ at[0], at[1] };
}

static size_t cell_of(const struct relay_walk *walk, struct relay_node node)
{
    return grid_index(&walk->view.terrain->grid, node.x, node.y, 0);
}

static bool is_complete(const struct relay_walk *walk,
                        const struct walker *walker)
{
    return walk->view.agents->settings[walker->agent]->method ==
           METHOD_RELAY_COMPLETE;
}

static enum status init(void *of, struct error *error)
{
    struct relay_walk *walk = of;
    const struct agents *agents = walk->view.agents;
    const struct grid *grid = &walk->view.terrain->grid;
    walk->relay[0] = relay_defaults;
    walk->relay[1] = relay_complete;
    for (int i = 0; i < 2; i++)
        walk->relay[i].search_level = walk->view.settings->search_level;
    walk->walkers = memory_new(walk->view.count, sizeof *walk->walkers);
    if (!walk->walkers)
        return error_memory(error);
    enum status status = goals_init(&walk->goals, walk->view.terrain, error);
    if (status)
        return status;
    size_t made = 0;
    for (size_t i = 0; i < agents->count; i++) {
        if (!chase_steers(&walk->view, i))
            continue;
        struct walker *walker = &walk->walkers[made++];
        double at[GRID_AXES];
        walker->agent = i;
        goals_stream(&walker->random, agents, i);
        agents_place(walk->view.agents, walker->agent, at);
        const double lean[GRID_AXES] = { 0 };
        walker->at = walker->leg =
            node_of(grid, motion_cell_leaning(walk->view.terrain, at, lean));
        leg_begin(&walker->way, at);
    }
    return passages_new_mirrored(walk->view.terrain, walk->view.settings->moves,
                                 walk->view.settings->measure,
                                 walk->view.mirror, &walk->passages, error);
}

static void release(void *of)
{
    struct relay_walk *walk = of;
    passages_release(walk->passages);
    memory_release(walk->walkers);
    goals_release(&walk->goals);
}

static enum status update(void *of, const struct box *box, struct error *error)
{
    struct relay_walk *walk = of;
    goals_list(&walk->goals, walk->view.terrain);
    for (size_t i = 0; i < walk->view.count; i++)
        relay_walker_map_changed(&walk->walkers[i].relay);
    return passages_update(walk->passages, walk->view.terrain, box, error);
}

/* ---- plans ---- */

static bool plan(void *of, int64_t step, struct agent_plan *plan)
{
    struct relay_walk *walk = of;
    if (step % walk->view.settings->replan != 0)
        return false;
    for (; walk->turn < walk->view.count; walk->turn++) {
        struct walker *walker = &walk->walkers[walk->turn];
        walker->ask = true;
        if (!walker->searches)
            continue;
        *plan = (struct agent_plan){
            .agent = (int)walker->agent,
            .step = step,
            .expansions = walker->searches,
            .nanoseconds = walker->nanoseconds,
            .path = walker->nodes,
            .path_cells = (size_t)walker->node_count,
        };
        walker->searches = walker->nanoseconds = 0;
        return true;
    }
    walk->turn = 0;
    return false;
}

/* ---- walking ---- */

static struct relay_node goal_of(const struct walker *walker)
{
    const struct relay_route *route = &walker->relay.route;
    return route->nodes[route->count - 1];
}

static void set_out(struct walker *walker, struct relay_node goal)
{
    relay_walker_start(&walker->relay, walker->at, goal);
    walker->leg = walker->at;
    walker->has_goal = true;
}

/* A free cell other than its own; false if there is none. */
static bool draw_goal(struct relay_walk *walk, struct walker *walker)
{
    const struct grid *grid = &walk->view.terrain->grid;
    walker->has_goal = false;
    size_t from = cell_of(walk, walker->at), goal;
    if (walk->view.terrain->wall[from] ||
        !goals_draw(&walk->goals, from, &walker->random, &goal))
        return false;
    set_out(walker, node_of(grid, goal));
    return true;
}

/* Sets the goal to the target's cell. The second variant keeps its route if the
 * goal is the same, because a direct route that is begun anew need not end. */
static void pursue(const struct relay_walk *walk, struct walker *walker)
{
    size_t cell = (size_t)walk->view.target->cell;
    struct relay_node goal = node_of(&walk->view.terrain->grid, cell);
    if (is_complete(walk, walker) && walker->has_goal &&
        relay_node_same(goal, goal_of(walker)))
        return;
    set_out(walker, goal);
}

/* Makes sure that there is a goal, at a cell's centre; false if there is none
 * now. */
static bool settle_goal(struct relay_walk *walk, struct walker *walker)
{
    if (walk->view.agents->settings[walker->agent]->goal_random)
        return walker->has_goal || draw_goal(walk, walker);
    if (walker->ask)
        pursue(walk, walker);
    walker->ask = false;
    return walker->has_goal;
}

/* A search that failed returns no nodes. */
static void keep_plan(struct relay_walk *walk, struct walker *walker,
                      const struct relay_counters *before, bool found)
{
    const struct relay_route *route = &walker->relay.route;
    walker->searches += (int64_t)(walk->counters.searches - before->searches);
    walker->nanoseconds += walk->counters.nanoseconds - before->nanoseconds;
    walker->node_count = 0;
    if (!found)
        return;
    walker->nodes[walker->node_count++] = (int32_t)cell_of(walk, walker->at);
    for (int i = 0; i < route->count; i++)
        walker->nodes[walker->node_count++] =
            (int32_t)cell_of(walk, route->nodes[i]);
}

/* At a node: begins the next leg. False if there is none in this step. */
static bool next_leg(struct relay_walk *walk, struct walker *walker)
{
    struct relay_counters before = walk->counters;
    enum relay_step step = relay_walker_next(
        &walker->relay, walk->passages, &walk->relay[is_complete(walk, walker)],
        &walk->counters, &walker->leg);
    bool walks = step == RELAY_WALKS || step == RELAY_RESEARCHED;
    if (walk->counters.searches > before.searches)
        keep_plan(walk, walker, &before, walks);
    walker->has_goal = walks;
    if (!walks)
        walker->leg = walker->at;
    return step != RELAY_FAILED;
}

/* Enters the next cell of the leg. If a wall now blocks the leg, it is
 * abandoned, and the search to the goal is repeated from here. */
static void enter_next(struct relay_walk *walk, struct walker *walker)
{
    struct relay_node to = walker->at;
    to.x += (walker->leg.x > to.x) - (walker->leg.x < to.x);
    to.y += (walker->leg.y > to.y) - (walker->leg.y < to.y);
    if (relay_is_straight(walk->passages, walker->at, to)) {
        walker->at = to;
        return;
    }
    set_out(walker, goal_of(walker));
}

/* At a cell's centre; false: the walker stays there for this step. */
static bool go_on(struct relay_walk *walk, struct walker *walker)
{
    if (!settle_goal(walk, walker))
        return false;
    if (!relay_node_same(walker->at, walker->leg)) {
        enter_next(walk, walker);
        return true;
    }
    bool wanders = walk->view.agents->settings[walker->agent]->goal_random;
    return next_leg(walk, walker) && (walker->has_goal || wanders);
}

static void move_one(struct relay_walk *walk, struct walker *walker)
{
    struct agents *agents = walk->view.agents;
    const struct agent_settings *settings = agents->settings[walker->agent];
    double at[GRID_AXES], left = settings->speed;
    agents_place(agents, walker->agent, at);
    do {
        double centre[GRID_AXES] = { walker->at.x, walker->at.y, 0 };
        left = leg_go(&walker->way, centre, left, at);
    } while (left > 0 && go_on(walk, walker));
    route_end_step(agents, walker->agent, &walker->way,
                   &walk->view.terrain->grid, cell_of(walk, walker->at), at,
                   left, settings->goal_random ? NULL : walk->view.target);
}

static void move(void *of)
{
    struct relay_walk *walk = of;
    for (size_t i = 0; i < walk->view.count; i++)
        if (walk->view.agents->state[walk->walkers[i].agent] != AGENT_CAPTURED)
            move_one(walk, &walk->walkers[i]);
}

const struct relay_counters *relay_walk_counters(const void *of)
{
    static const struct relay_counters none;
    const struct relay_walk *walk = of;
    return walk ? &walk->counters : &none;
}

/* The maximum of every counter, in the longest run. */
#define COUNT_MOST (UINT64_C(1) << 60)
#define RESEARCHES_MOST (1 << 30)

/* The next steps do not depend on nanoseconds. */
static void counters_state(struct relay_counters *counters, struct state *state)
{
    struct relay_counters kept = *counters;
    kept.nanoseconds = 0;
    state_visit(state, &kept, sizeof kept);
    if (state->mode != STATE_LOAD)
        return;
    bool good =
        kept.searches <= COUNT_MOST && kept.researches <= COUNT_MOST &&
        kept.goals <= COUNT_MOST && kept.failures <= COUNT_MOST &&
        kept.nodes <= COUNT_MOST && kept.nodes_most >= 0 &&
        kept.nodes_most <= RELAY_NODES_MOST && kept.researches_most >= 0 &&
        kept.researches_most <= RESEARCHES_MOST && kept.nanoseconds == 0;
    *counters = state_holds(state, good) ? kept : (struct relay_counters){ 0 };
}

static void nodes_state(struct relay_node *nodes, size_t count,
                        const struct grid *grid, struct state *state)
{
    for (size_t i = 0; i < count; i++) {
        state_visit_index(state, &nodes[i].x, 1, 0, grid->nx - 1);
        state_visit_index(state, &nodes[i].y, 1, 0, grid->ny - 1);
    }
}

static void detour_state(struct relay_walker *relay, const struct grid *grid,
                         struct state *state)
{
    struct detour *detour = &relay->detour;
    const int32_t farthest = grid->nx + grid->ny;
    state_visit_bool(state, &relay->detours);
    state_visit_index(state, &relay->nearest, 1, 0, farthest);
    nodes_state(&detour->origin, 1, grid, state);
    nodes_state(&detour->goal, 1, grid, state);
    nodes_state(&detour->at, 1, grid, state);
    state_visit_index(state, &detour->met, 1, 0, farthest);
    state_visit_index(state, &detour->heading, 1, 0, 3);
    state_visit_index(state, &detour->hand, 1, -1, 1);
    state_visit_whole(state, &detour->left, 1, 0,
                      4 * (int64_t)grid_cells(grid));
}

static void walker_state(struct walker *walker, const struct grid *grid,
                         struct state *state)
{
    struct relay_walker *relay = &walker->relay;
    struct relay_route *route = &relay->route;
    state_visit_index(state, &route->count, 1, 0, RELAY_NODES_MOST);
    nodes_state(route->nodes, RELAY_NODES_MOST, grid, state);
    state_visit_bool(state, &relay->fresh);
    state_visit_index(state, &relay->researches, 1, 0, RESEARCHES_MOST);
    state_visit_random(state, &walker->random);
    nodes_state(&walker->at, 1, grid, state);
    nodes_state(&walker->leg, 1, grid, state);
    leg_state(&walker->way, grid, state);
    state_visit_bool(state, &walker->has_goal);
    if (!state_holds(state, !walker->has_goal || route->count > 0))
        walker->has_goal = false;
    state_visit_bool(state, &walker->ask);
    state_visit_index(state, walker->nodes, RELAY_NODES_MOST, 0,
                      (int32_t)(grid_cells(grid) - 1));
    state_visit_index(state, &walker->node_count, 1, 0, RELAY_NODES_MOST);
    state_visit_whole(state, &walker->searches, 1, 0, (int64_t)COUNT_MOST);
}

static void state(void *of, struct state *state)
{
    struct relay_walk *walk = of;
    counters_state(&walk->counters, state);
    for (size_t i = 0; i < walk->view.count; i++) {
        struct walker *walker = &walk->walkers[i];
        walker_state(walker, &walk->view.terrain->grid, state);
        if (is_complete(walk, walker))
            detour_state(&walker->relay, &walk->view.terrain->grid, state);
    }
    if (state->mode == STATE_LOAD)
        goals_list(&walk->goals, walk->view.terrain);
}

const struct chase_kind relay_walk = {
    .size = sizeof(struct relay_walk),
    .init = init,
    .release = release,
    .update = update,
    .plan = plan,
    .move = move,
    .state = state,
};
