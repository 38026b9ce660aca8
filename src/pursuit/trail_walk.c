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
           steers_by_nodes(settings->steering);
}

/* Does the agent look in each cell once, not at every step? */
static bool looks_in_cells(const struct trail_walk *walk, size_t agent)
{
    return walk->view.agents->settings[agent]->steering == STEERING_EVERY_CELL;
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
    walk->emissions =
        memory_new(2 * (size_t)view->waves, sizeof *walk->emissions);
    walk->cornered =
        memory_new((size_t)grid->ny * (size_t)grid->nz, node_corner_row(grid));
    if (!walk->trails || !walk->holds || !walk->emissions || !walk->cornered)
        return error_memory(error);
    const struct box all = grid_box(grid);
    if (!memory_is_promised())
        node_mark_corners(view->terrain, &all, walk->cornered);
    for (size_t i = 0; i < agent_count(walk); i++)
        walk->holds[i] =
            (struct node_hold){ .emitted = -1, .node = -1, .looked = -1 };
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
    memory_release(walk->emissions);
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

void trail_walk_look_anew(struct trail_walk *walk)
{
    for (size_t i = 0; i < agent_count(walk); i++)
        walk->holds[i].looked = -1;
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
    if (!motion_is_between(at))
        return (size_t)motion_cell(&terrain->grid, at);
    if (hold->node >= 0)
        node_place(&terrain->grid, hold->node, hold->corner, lean);
    for (int axis = 0; axis < GRID_AXES && hold->node >= 0; axis++)
        lean[axis] -= at[axis];
    return motion_cell_leaning(terrain, at, lean);
}

/* Lists the emissions of all waves, the newest first; of those of the same step
 * the lower number of a wave comes first. */
static void list_emissions(struct trail_walk *walk)
{
    struct trail_emission *list = walk->emissions;
    walk->emission_count = 0;
    for (int i = 0; i < 2 * walk->view.waves; i++) {
        const struct trail *trail = &walk->trails[i / 2];
        struct trail_emission one = {
            .emitted = i % 2 ? trail->emitted_before : trail->emitted,
            .source = i % 2 ? trail->source_before : trail->source,
            .wave = i / 2,
            .newest = i % 2 == 0,
        };
        size_t place = walk->emission_count;
        if (one.emitted < 0)
            continue;
        if (one.newest && trail->sums &&
            !trail->sums(trail->context, &one.terms))
            one.terms.row = 0;
        for (; place > 0 && list[place - 1].emitted < one.emitted; place--)
            list[place] = list[place - 1];
        list[place] = one;
        walk->emission_count++;
    }
}

/* The emission that is followed; NULL if none is, or if its potential is not
 * there any more. */
static const struct trail_emission *followed(const struct trail_walk *walk,
                                             const struct node_hold *hold)
{
    const struct trail_emission *list = walk->emissions;
    for (size_t i = 0; i < walk->emission_count; i++)
        if (list[i].emitted == hold->emitted)
            return &list[i];
    return NULL;
}

/* False only if may_follow is false: a test without the exact potential, for
 * the many emissions that have not come yet. SMALL: sums below normal numbers
 * are not exact. */
static bool may_have_come(const struct trail_emission *emission, bool same,
                          const struct grid *grid, size_t cell)
{
    static const float ROUNDING = 1e-5F, SMALL = 1e-35F;
    const struct detection_sums *terms = &emission->terms;
    int at[GRID_AXES];
    if (!terms->row)
        return true;
    grid_cell(grid, cell, at);
    const ptrdiff_t item = at[0] + at[1] * terms->row + at[2] * terms->layer;
    const float sum = terms->sum[item];
    if (sum == 0 && terms->eta < 1)
        return false;
    if (terms->closed[item] != 0)
        return true;
    const float z = terms->z[item];
    const float now = sum * terms->growth + terms->owes * z;
    return !same &&
           !(fabsf(z) > fmaxf(terms->eta * (1 + ROUNDING) * now, SMALL));
}

/* May the agent follow a newer emission from now on? An emission from the same
 * source leaves the same potential in the end, but the potential left so far by
 * its front could turn the agent back at each emission. So it must be final in
 * the agent's cell and in that of the held node. */
static bool may_follow(const struct trail_walk *walk,
                       const struct trail_emission *emission, bool same,
                       size_t cell, const struct node_hold *hold)
{
    const struct trail *trail = &walk->trails[emission->wave];
    const struct grid *grid = &trail->terrain->grid;
    const int64_t emitted = emission->emitted;
    if (!may_have_come(emission, same, grid, cell))
        return false;
    if (!same)
        return has_come(trail, emitted, cell);
    return trail_is_settled(trail, emitted, cell) &&
           (hold->node < 0 || trail->terrain->wall[hold->node] ||
            trail_is_settled(trail, emitted, (size_t)hold->node));
}

/* The trail of the newest emission that the agent may follow in the cell, or of
 * the one that it already follows; NULL if there is none. */
static const struct trail *follow(const struct trail_walk *walk, size_t agent,
                                  size_t cell, struct node_hold *hold)
{
    const struct trail_emission *own = followed(walk, hold);
    for (size_t i = 0; i < walk->emission_count; i++) {
        const struct trail_emission *one = &walk->emissions[i];
        if (one->emitted <= hold->emitted)
            break;
        if (one->newest && walk->waiting &&
            waiting_sleeps(&walk->waiting[one->wave], agent))
            continue;
        if (may_follow(walk, one, own && own->source == one->source, cell,
                       hold)) {
            hold->emitted = one->emitted;
            return &walk->trails[one->wave];
        }
    }
    return own ? &walk->trails[own->wave] : NULL;
}

/* Converts a cell of the world to a cell of this rank's part, or the
 * reverse. */
static int64_t cell_between(const struct grid *from, const struct grid *to,
                            const int low[GRID_AXES], int sign, int64_t cell)
{
    int at[GRID_AXES];
    if (cell < 0 || from == to)
        return cell;
    grid_cell(from, (size_t)cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] += sign * low[axis];
    return (int64_t)grid_index(to, at[0], at[1], at[2]);
}

/* Is the agent at its node? */
static bool is_there(const struct grid *grid, const double at[GRID_AXES],
                     const struct node_hold *local)
{
    double node[GRID_AXES];
    node_place(grid, local->node, local->corner, node);
    return motion_distance(at, node) <= MOTION_NEAR;
}

/* Is the agent's node the source of the emission that it follows? No other has
 * a larger potential. */
static bool is_source(const struct trail *trail, const struct node_hold *hold)
{
    return !hold->corner && hold->node == (hold->emitted == trail->emitted
                                               ? trail->source
                                               : trail->source_before);
}

/* Follows an emission, and takes a node, in the cell `here` of the world.
 * False: there is none. */
static bool look(struct trail_walk *walk, size_t agent,
                 const double at[GRID_AXES], size_t cell, int64_t here,
                 struct node_hold *local)
{
    const struct share *share = &walk->share;
    struct node_hold *hold = &walk->holds[agent];
    const bool looked = hold->looked == here;
    const struct trail *trail = follow(walk, agent, cell, local);
    const bool same = hold->emitted == local->emitted;
    hold->emitted = local->emitted;
    hold->looked = -1;
    if (!trail)
        return false;
    if (!(looked && same && is_source(trail, hold)) &&
        !node_choose(trail, walk->view.sight, at, local))
        return false;
    hold->node = cell_between(&walk->view.terrain->grid, &share->world,
                              share->held.low, 1, local->node);
    hold->corner = local->corner;
    hold->looked = (int32_t)here;
    return true;
}

/* Walks up to `left` cells straight to its node; takes one first if it is at
 * its node, has not looked in this cell yet, or looks at every step. Returns
 * the rest of the distance: 0 before the node, and if there is no node to walk
 * to. */
static double walk_to_node(struct trail_walk *walk, size_t agent,
                           double at[GRID_AXES], double heading[GRID_AXES],
                           double left)
{
    const struct share *share = &walk->share;
    const struct grid *grid = &walk->view.terrain->grid;
    double node[GRID_AXES], way[GRID_AXES];
    struct node_hold local = walk->holds[agent];
    local.node =
        cell_between(&share->world, grid, share->held.low, -1, local.node);
    const size_t cell = cell_of(walk->view.terrain, at, &local);
    const int64_t here =
        cell_between(grid, &share->world, share->held.low, 1, (int64_t)cell);
    if ((!looks_in_cells(walk, agent) || local.node < 0 ||
         local.looked != here || is_there(grid, at, &local)) &&
        !look(walk, agent, at, cell, here, &local))
        return 0;
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
    if (!motion_is_free(walk->view.terrain, at))
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
    list_emissions(walk);
    for (size_t i = 0; i < agent_count(walk); i++)
        if (walks(&walk->view, i) && agents->state[i] != AGENT_CAPTURED &&
            (!walk->view.share || agents_are_in(agents, i, &walk->share)))
            move(walk, i);
}

/* ---- a restart ---- */

void trail_walk_holds_state(struct trail_walk *walk, struct state *state)
{
    const struct grid *world = &walk->share.world;
    const int64_t cells = (int64_t)grid_cells(world);
    const bool flat = grid_axes(world) == 2;
    const int last = flat ? NODE_NUMBERS - 1 : NODE_FACE - 1;
    for (size_t i = 0; i < agent_count(walk); i++) {
        struct node_hold *hold = &walk->holds[i];
        state_visit_steps(state, &hold->emitted, 1);
        state_visit_whole(state, &hold->node, 1, -1, cells - 1);
        state_visit_index(state, &hold->corner, 1, 0, last);
        if (flat &&
            !state_holds(state, hold->corner <= 4 || hold->corner >= NODE_FACE))
            hold->corner = 0;
        if (looks_in_cells(walk, i)) /* else 1.0's states would lack it */
            state_visit_index(state, &hold->looked, 1, -1, (int32_t)cells - 1);
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
