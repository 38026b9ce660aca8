/* SPDX-License-Identifier: MIT */
#include "pursuit/relay_walk.h"

#include "base/memory.h"
#include "pursuit/goals.h"
#include "pursuit/route.h"
#include "wave/arrival.h"

#include <string.h>

struct walker {
    size_t agent;
    struct relay_walker relay;
    struct random random;  /* of its goals */
    struct relay_node at;  /* the cell that is being entered, or stood in */
    struct relay_node leg; /* where the leg ends */
    bool has_goal, ask;    /* ask: for the target's cell, at the next centre */
    /* What the next plan tells. */
    int32_t nodes[RELAY_NODES_MOST];
    int32_t node_count;
    int64_t searches, nanoseconds; /* since the last plan */
};

struct relay_walk {
    struct agents *agents;
    const struct target *target;
    const struct terrain *terrain;
    const struct pursuit_settings *settings;
    struct relay_settings relay;
    struct passages *passages;
    struct goals goals;
    struct walker *walkers;
    size_t count, turn; /* turn: the next walker to tell its plan */
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
    return grid_index(&walk->terrain->grid, node.x, node.y, 0);
}

static bool same(struct relay_node a, struct relay_node b)
{
    return a.x == b.x && a.y == b.y;
}

static void position(const struct relay_walk *walk, const struct walker *walker,
                     double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = walk->agents->at[axis][walker->agent];
}

static enum status fill(struct relay_walk *walk, struct error *error)
{
    const struct agents *agents = walk->agents;
    const struct grid *grid = &walk->terrain->grid;
    for (size_t i = 0; i < agents->count; i++)
        walk->count += agents->settings[i]->method == METHOD_RELAY;
    if (!walk->count)
        return STATUS_OK;
    walk->walkers = memory_new(walk->count, sizeof *walk->walkers);
    if (!walk->walkers)
        return error_memory(error);
    enum status status = goals_init(&walk->goals, grid, error);
    if (status)
        return status;
    goals_list(&walk->goals, walk->terrain);
    size_t made = 0;
    for (size_t i = 0; i < agents->count; i++) {
        if (agents->settings[i]->method != METHOD_RELAY)
            continue;
        struct walker *walker = &walk->walkers[made++];
        double at[GRID_AXES];
        walker->agent = i;
        goals_stream(&walker->random, agents, i);
        position(walk, walker, at);
        walker->at = walker->leg = node_of(grid, grid_nearest(grid, at));
    }
    return passages_new(walk->terrain, walk->settings->moves,
                        walk->settings->measure, &walk->passages, error);
}

enum status relay_walk_new(struct agents *agents, const struct target *target,
                           const struct terrain *terrain,
                           const struct pursuit_settings *settings,
                           struct relay_walk **walk, struct error *error)
{
    struct relay_walk *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->agents = agents;
    made->target = target;
    made->terrain = terrain;
    made->settings = settings;
    made->relay = relay_defaults;
    made->relay.search_level = settings->search_level;
    enum status status = fill(made, error);
    if (status)
        relay_walk_release(made);
    else
        *walk = made;
    return status;
}

void relay_walk_release(struct relay_walk *walk)
{
    if (!walk)
        return;
    passages_release(walk->passages);
    memory_release(walk->walkers);
    goals_release(&walk->goals);
    memory_release(walk);
}

enum status relay_walk_update(struct relay_walk *walk, const struct box *box,
                              struct error *error)
{
    if (!walk->count)
        return STATUS_OK;
    goals_list(&walk->goals, walk->terrain);
    return passages_update(walk->passages, walk->terrain, box, error);
}

/* ---- plans ---- */

bool relay_walk_plan(struct relay_walk *walk, int64_t step,
                     struct agent_plan *plan)
{
    if (step % walk->settings->replan != 0)
        return false;
    for (; walk->turn < walk->count; walk->turn++) {
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

static void set_out(struct walker *walker, struct relay_node goal)
{
    relay_walker_start(&walker->relay, walker->at, goal);
    walker->leg = walker->at;
    walker->has_goal = true;
}

/* Another free cell than its own; false where there is none. */
static bool draw_goal(struct relay_walk *walk, struct walker *walker)
{
    const struct grid *grid = &walk->terrain->grid;
    walker->has_goal = false;
    size_t from = cell_of(walk, walker->at), goal;
    if (walk->terrain->wall[from] ||
        !goals_draw(&walk->goals, from, &walker->random, &goal))
        return false;
    set_out(walker, node_of(grid, goal));
    return true;
}

/* Sees to a goal, at a cell's centre; false: there is none now. */
static bool settle_goal(struct relay_walk *walk, struct walker *walker)
{
    if (walk->agents->settings[walker->agent]->goal_random)
        return walker->has_goal || draw_goal(walk, walker);
    if (walker->ask) {
        const struct grid *grid = &walk->terrain->grid;
        set_out(walker, node_of(grid, grid_nearest(grid, walk->target->at)));
        walker->ask = false;
    }
    return walker->has_goal;
}

/* A search that failed leaves no nodes. */
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

/* At a node: the next leg. False: there is none, in this step. */
static bool next_leg(struct relay_walk *walk, struct walker *walker)
{
    struct relay_counters before = walk->counters;
    enum relay_step step =
        relay_walker_next(&walker->relay, walk->passages, &walk->relay,
                          &walk->counters, &walker->leg);
    bool walks = step == RELAY_WALKS || step == RELAY_RESEARCHED;
    if (walk->counters.searches > before.searches)
        keep_plan(walk, walker, &before, walks);
    walker->has_goal = walks;
    if (!walks)
        walker->leg = walker->at;
    return step != RELAY_FAILED;
}

/* One cell on along the leg. A leg that has been walled up since is left: the
 * goal is asked for again from here. */
static void enter_next(struct relay_walk *walk, struct walker *walker)
{
    struct relay_node to = walker->at, goal;
    to.x += (walker->leg.x > to.x) - (walker->leg.x < to.x);
    to.y += (walker->leg.y > to.y) - (walker->leg.y < to.y);
    if (relay_is_straight(walk->passages, walker->at, to)) {
        walker->at = to;
        return;
    }
    goal = walker->relay.route.nodes[walker->relay.route.count - 1];
    set_out(walker, goal);
}

/* At a cell's centre; false: it stays there for this step. */
static bool go_on(struct relay_walk *walk, struct walker *walker)
{
    if (!settle_goal(walk, walker))
        return false;
    if (!same(walker->at, walker->leg)) {
        enter_next(walk, walker);
        return true;
    }
    bool wanders = walk->agents->settings[walker->agent]->goal_random;
    return next_leg(walk, walker) && (walker->has_goal || wanders);
}

static void move(struct relay_walk *walk, struct walker *walker)
{
    struct agents *agents = walk->agents;
    double at[GRID_AXES], way[GRID_AXES], heading[GRID_AXES];
    double left = agents->settings[walker->agent]->speed;
    position(walk, walker, at);
    do {
        double centre[GRID_AXES] = { walker->at.x, walker->at.y, 0 };
        left = route_approach(at, centre, left);
    } while (left > 0 && go_on(walk, walker));
    const struct grid *grid = &walk->terrain->grid;
    if (left > 0 && !agents->settings[walker->agent]->goal_random &&
        grid_nearest(grid, at) == grid_nearest(grid, walk->target->at))
        route_approach(at, walk->target->at, left);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        way[axis] = at[axis] - agents->at[axis][walker->agent];
        agents->at[axis][walker->agent] = at[axis];
    }
    bool moved = heading_unit(way, heading);
    agents->state[walker->agent] = moved ? AGENT_MOVING : AGENT_STUCK;
    for (int axis = 0; moved && axis < GRID_AXES; axis++)
        agents->heading[axis][walker->agent] = heading[axis];
}

void relay_walk_move(struct relay_walk *walk)
{
    for (size_t i = 0; i < walk->count; i++)
        if (walk->agents->state[walk->walkers[i].agent] != AGENT_CAPTURED)
            move(walk, &walk->walkers[i]);
}

const struct relay_counters *relay_walk_counters(const struct relay_walk *walk)
{
    return &walk->counters;
}

/* Of anything, in the longest run. */
#define COUNT_MOST (UINT64_C(1) << 60)

/* Nanoseconds are no part of what the next steps depend on. */
static void counters_state(struct relay_counters *counters, struct state *state)
{
    struct relay_counters kept = *counters;
    kept.nanoseconds = 0;
    state_visit(state, &kept, sizeof kept);
    if (state->mode != STATE_LOAD)
        return;
    bool good = kept.searches <= COUNT_MOST && kept.researches <= COUNT_MOST &&
                kept.goals <= COUNT_MOST && kept.failures <= COUNT_MOST &&
                kept.nodes <= COUNT_MOST && kept.nodes_most >= 0 &&
                kept.nodes_most <= RELAY_NODES_MOST &&
                kept.researches_most >= 0 &&
                kept.researches_most <= RELAY_RESEARCHES_MOST + 1 &&
                kept.nanoseconds == 0;
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

static void walker_state(struct walker *walker, const struct grid *grid,
                         struct state *state)
{
    struct relay_walker *relay = &walker->relay;
    struct relay_route *route = &relay->route;
    state_visit_index(state, &route->count, 1, 0, RELAY_NODES_MOST);
    nodes_state(route->nodes, RELAY_NODES_MOST, grid, state);
    state_visit_bool(state, &relay->fresh);
    state_visit_index(state, &relay->researches, 1, 0,
                      RELAY_RESEARCHES_MOST + 1);
    state_visit_random(state, &walker->random);
    nodes_state(&walker->at, 1, grid, state);
    nodes_state(&walker->leg, 1, grid, state);
    state_visit_bool(state, &walker->has_goal);
    if (!state_holds(state, !walker->has_goal || route->count > 0))
        walker->has_goal = false;
    state_visit_bool(state, &walker->ask);
    state_visit_index(state, walker->nodes, RELAY_NODES_MOST, 0,
                      (int32_t)(grid_cells(grid) - 1));
    state_visit_index(state, &walker->node_count, 1, 0, RELAY_NODES_MOST);
    state_visit_whole(state, &walker->searches, 1, 0, (int64_t)COUNT_MOST);
}

void relay_walk_state(struct relay_walk *walk, struct state *state)
{
    if (!walk->count)
        return;
    counters_state(&walk->counters, state);
    for (size_t i = 0; i < walk->count; i++)
        walker_state(&walk->walkers[i], &walk->terrain->grid, state);
    if (state->mode == STATE_LOAD)
        goals_list(&walk->goals, walk->terrain);
}
