/* SPDX-License-Identifier: MIT */
#include "pursuit/trail_walk.h"

#include "base/memory.h"
#include "pursuit/motion.h"
#include "wave/arrival/arrival.h"

#include <math.h>
#include <string.h>

/* The number of agents, any of which may walk by a trail. */
static size_t agent_count(const struct trail_walk *walk)
{
    return walk->trails ? walk->view.agents->count : 0;
}

static bool walks(const struct trail_walk_view *view, size_t agent)
{
    const struct agent_settings *settings = view->agents->settings[agent];
    return settings->method == view->method &&
           settings->steering == STEERING_EVERY_STEP;
}

bool trail_walk_has(const struct trail_walk *walk, size_t agent)
{
    return walk->trails && walks(&walk->view, agent);
}

enum status trail_walk_init(struct trail_walk *walk,
                            const struct trail_walk_view *view,
                            struct error *error)
{
    bool any = false;
    *walk = (struct trail_walk){
        .view = *view,
        .share = view->share ? *view->share : share_whole(&view->terrain->grid),
    };
    for (size_t i = 0; i < view->agents->count; i++)
        any = any || walks(view, i);
    if (!any)
        return STATUS_OK;
    const struct grid *grid = &view->terrain->grid;
    walk->trails = memory_new((size_t)view->waves, sizeof *walk->trails);
    walk->holds = memory_new(agent_count(walk), sizeof *walk->holds);
    walk->cornered =
        memory_new((size_t)grid->ny * (size_t)grid->nz, node_corner_row(grid));
    if (!walk->trails || !walk->holds || !walk->cornered)
        return error_memory(error);
    const struct box all = grid_box(grid);
    if (!memory_is_promised())
        node_mark_corners(view->terrain, &all, walk->cornered);
    for (size_t i = 0; i < agent_count(walk); i++)
        walk->holds[i] = (struct node_hold){ .emitted = -1, .node = -1 };
    return STATUS_OK;
}

enum status trail_walk_name(struct trail_walk *walk, int wave,
                            trail_potential *potential, trail_sums *sums,
                            const void *context, const struct fall *fall,
                            struct error *error)
{
    struct trail *trail = &walk->trails[wave];
    enum status status =
        trail_init(trail, walk->view.terrain, potential, context, fall, error);
    trail->sums = sums;
    trail->cornered = walk->cornered;
    return status;
}

void trail_walk_release(struct trail_walk *walk)
{
    for (int i = 0; walk->trails && i < walk->view.waves; i++)
        trail_release(&walk->trails[i]);
    memory_release(walk->trails);
    memory_release(walk->holds);
    memory_release(walk->cornered);
    *walk = (struct trail_walk){ 0 };
}

/* Keeps the last emission's potential if an agent may still follow it. */
void trail_walk_keep(struct trail_walk *walk, int wave)
{
    bool needed = false;
    if (!walk->trails)
        return;
    struct trail *trail = &walk->trails[wave];
    for (size_t i = 0; i < agent_count(walk); i++)
        needed |=
            walks(&walk->view, i) && walk->holds[i].emitted <= trail->emitted;
    trail_keep(trail, needed && trail->emitted >= 0);
}

bool trail_walk_leads(const struct trail_walk *walk, int wave,
                      const uint8_t *cut_off)
{
    const struct agents *agents = walk->view.agents;
    const int64_t before = walk->trails[wave].emitted_before;
    bool leads = false;
    for (size_t i = 0; i < agent_count(walk) && before >= 0 && !leads; i++)
        leads = !cut_off[i] && walk->holds[i].emitted == before &&
                walks(&walk->view, i) && agents->state[i] != AGENT_CAPTURED &&
                agents_are_in(agents, i, &walk->share);
    return leads;
}

void trail_walk_emitted(struct trail_walk *walk, int wave, size_t cell,
                        int64_t step)
{
    if (walk->trails)
        trail_begin(&walk->trails[wave], (int64_t)cell, step);
}

void trail_walk_update(struct trail_walk *walk, const struct box *box)
{
    if (!walk->trails)
        return;
    for (int i = 0; i < walk->view.waves; i++)
        trail_update(&walk->trails[i], box);
    node_mark_corners(walk->view.terrain, box, walk->cornered);
}

/* Has the emission arrived at the cell? In a wall it has not. */
static bool has_come(const struct trail *trail, int64_t emitted, size_t cell)
{
    return !trail->terrain->wall[cell] &&
           trail_at(trail, emitted, cell) > -INFINITY;
}

/* The cell that the agent is in: half-way between two cells, the one that it
 * walks to. */
static size_t cell_of(const struct terrain *terrain, const double at[GRID_AXES],
                      const struct node_hold *hold)
{
    double lean[GRID_AXES] = { 0 };
    if (hold->node >= 0)
        node_place(&terrain->grid, hold->node, hold->corner, lean);
    for (int axis = 0; axis < GRID_AXES && hold->node >= 0; axis++)
        lean[axis] -= at[axis];
    return motion_cell_leaning(terrain, at, lean);
}

/* The source of the emission that is followed; −1 if none is followed. */
static int64_t followed_source(const struct trail_walk *walk,
                               const struct node_hold *hold)
{
    for (size_t i = 0; i < (size_t)walk->view.waves && hold->emitted >= 0;
         i++) {
        const struct trail *trail = &walk->trails[i];
        if (trail->emitted == hold->emitted)
            return trail->source;
        if (trail->emitted_before == hold->emitted)
            return trail->source_before;
    }
    return -1;
}

/* May the agent follow a newer emission from now on? An emission from the same
 * source leaves the same potential in the end, but the potential left so far by
 * its front could turn the agent back at each emission. So it must be final in
 * the agent's cell and in that of the held node. */
static bool may_follow(const struct trail *trail, int64_t emitted, bool same,
                       size_t cell, const struct node_hold *hold)
{
    if (!same)
        return has_come(trail, emitted, cell);
    return trail_is_settled(trail, emitted, cell) &&
           (hold->node < 0 || trail->terrain->wall[hold->node] ||
            trail_is_settled(trail, emitted, (size_t)hold->node));
}

/* The trail of the newest emission that the agent may follow at the position,
 * or of the one that it already follows; NULL if there is none. */
static const struct trail *follow(const struct trail_walk *walk, size_t agent,
                                  const double at[GRID_AXES],
                                  struct node_hold *hold)
{
    const struct trail *best = NULL;
    const size_t cell = cell_of(walk->view.terrain, at, hold);
    const int64_t followed = followed_source(walk, hold);
    int64_t newest = hold->emitted;
    for (size_t i = 0; i < (size_t)walk->view.waves; i++) {
        const struct trail *trail = &walk->trails[i];
        const bool early = walk->waiting && trail->emitted > hold->emitted &&
                           waiting_sleeps(&walk->waiting[i], agent);
        const int64_t emitted[] = { early ? -1 : trail->emitted,
                                    trail->emitted_before };
        const int64_t source[] = { trail->source, trail->source_before };
        for (int j = 0; j < 2; j++)
            if (emitted[j] >= 0 &&
                (emitted[j] > newest
                     ? may_follow(trail, emitted[j], source[j] == followed,
                                  cell, hold)
                     : emitted[j] == newest && !best)) {
                best = trail;
                newest = emitted[j];
            }
    }
    hold->emitted = newest;
    return best;
}

/* Converts a cell of the world to a cell of this rank's part, or the
 * reverse. */
static int64_t cell_between(const struct grid *from, const struct grid *to,
                            const int low[GRID_AXES], int sign, int64_t cell)
{
    int at[GRID_AXES];
    if (cell < 0)
        return cell;
    grid_cell(from, (size_t)cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] += sign * low[axis];
    return (int64_t)grid_index(to, at[0], at[1], at[2]);
}

/* Takes a node, and walks up to `left` cells straight to it. Returns the rest
 * of the distance: 0 before the node, and if there is no node to walk to. */
static double walk_to_node(struct trail_walk *walk, size_t agent,
                           double at[GRID_AXES], double heading[GRID_AXES],
                           double left)
{
    const struct share *share = &walk->share;
    const struct grid *grid = &walk->view.terrain->grid;
    double node[GRID_AXES], way[GRID_AXES];
    struct node_hold *hold = &walk->holds[agent];
    struct node_hold local = *hold;
    local.node =
        cell_between(&share->world, grid, share->held.low, -1, hold->node);
    const struct trail *trail = follow(walk, agent, at, &local);
    hold->emitted = local.emitted;
    if (!trail || !node_choose(trail, walk->view.sight, at, &local))
        return 0;
    *hold = local;
    hold->node =
        cell_between(grid, &share->world, share->held.low, 1, local.node);
    node_place(grid, local.node, local.corner, node);
    const double distance = motion_distance(at, node);
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = node[axis] - at[axis];
    if (!heading_unit(way, heading))
        return 0;
    if (distance <= left + MOTION_NEAR) {
        memcpy(at, node, sizeof node);
        return left - distance;
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] += motion_round(left * heading[axis]);
    return 0;
}

static void move(struct trail_walk *walk, size_t agent)
{
    struct agents *agents = walk->view.agents;
    double left = agents->settings[agent]->speed;
    double place[GRID_AXES], at[GRID_AXES], heading[GRID_AXES] = { 0 };
    bool moves = false;
    agents_place(agents, agent, place);
    share_local(&walk->share, place, at);
    if (!motion_touches_free(&walk->view.terrain->grid,
                             walk->view.terrain->wall, at))
        left = 0; /* a new wall encloses it */
    while (left > 0) {
        double unit[GRID_AXES] = { 0 };
        left = walk_to_node(walk, agent, at, unit, left);
        for (int axis = 0; axis < GRID_AXES; axis++)
            if (unit[axis] != 0) {
                memcpy(heading, unit, sizeof heading);
                moves = true;
            }
    }
    agents->state[agent] = moves ? AGENT_MOVING : AGENT_WAITING;
    for (int axis = 0; axis < GRID_AXES && moves; axis++) {
        agents->at[axis][agent] = at[axis] + walk->share.held.low[axis];
        agents->heading[axis][agent] = heading[axis];
    }
}

void trail_walk_move(struct trail_walk *walk)
{
    const struct agents *agents = walk->view.agents;
    if (!walk->trails)
        return;
    for (int i = 0; i < walk->view.waves; i++)
        trail_refresh(&walk->trails[i]);
    for (size_t i = 0; i < agent_count(walk); i++)
        if (walks(&walk->view, i) && agents->state[i] != AGENT_CAPTURED &&
            agents_are_in(agents, i, &walk->share))
            move(walk, i);
}

/* ---- a restart ---- */

void trail_walk_holds_state(struct trail_walk *walk, struct state *state)
{
    const struct grid *world = &walk->share.world;
    const int64_t cells = (int64_t)grid_cells(world);
    const int corners = grid_axes(world) == 3 ? NODE_CORNERS * NODE_PLACES : 4;
    for (size_t i = 0; i < agent_count(walk); i++) {
        struct node_hold *hold = &walk->holds[i];
        state_visit_steps(state, &hold->emitted, 1);
        state_visit_whole(state, &hold->node, 1, -1, cells - 1);
        state_visit_index(state, &hold->corner, 1, 0, corners);
    }
}

void trail_walk_trail_state(struct trail_walk *walk, int wave,
                            struct state *state)
{
    const int64_t cells = (int64_t)grid_cells(&walk->share.world);
    if (!walk->trails)
        return;
    struct trail *trail = &walk->trails[wave];
    state_visit_whole(state, &trail->source, 1, -1, cells - 1);
    state_visit_whole(state, &trail->source_before, 1, -1, cells - 1);
    trail_state(trail, state);
}
