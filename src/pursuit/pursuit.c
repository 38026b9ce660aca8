/* SPDX-License-Identifier: MIT */
#include "pursuit/pursuit.h"

#include "base/clones.h"
#include "base/memory.h"
#include "pursuit/chase.h"
#include "pursuit/heading_walk.h"
#include "pursuit/lee_chase.h"
#include "pursuit/motion.h"
#include "pursuit/places.h"
#include "pursuit/reach.h"
#include "pursuit/relay_walk.h"
#include "pursuit/sharing.h"
#include "pursuit/target.h"
#include "pursuit/wave_chase.h"

#include <math.h>
#include <string.h>

/* The step of the last emission and, for restart on-arrival, whether an agent
 * has reacted to it. */
struct restart_clock {
    int64_t emitted, arrived;
    /* received: at this step (0: not since the last emission) the waves that
     * stay were found */
    int64_t asked;
    const struct needs *needs;
};

struct pursuit {
    struct pursuit_view view;
    struct agents agents;
    struct target target;
    struct wave_chase *wave_chase; /* NULL if no wave runs */
    struct heading_walk *heading_walk;
    void *chases[CHASE_KINDS_MOST]; /* NULL: not needed */
    struct restart_clock wave_clock, lee_clock;
    struct agent_arrivals arrivals;
    int *captures; /* indices of agents; room for all */
    size_t capture_count;
    /* number of agents that pursue, and of those that captured */
    size_t pursuers, captured;
    struct sharing sharing; /* if ranks share the map */
    /* No agents and no target: for the methods of the other ranks. */
    struct agents no_agents;
    struct target no_target;
    /* For restart received: (agents), those that the target's waves cannot
     * reach. */
    uint8_t *cut_off;
    struct reach reach; /* on the first rank */
    bool retry; /* the map changed: a blocked agent may be able to move */
};

/* Only the first rank has the searches over the whole map, and the target. */
static bool is_first(const struct pursuit *pursuit)
{
    return ranks_self(pursuit->view.ranks) == 0;
}

static bool is_pursuer(const struct agents *agents, size_t agent)
{
    return !agents->settings[agent]->goal_random;
}

/* The chase of a kind, or NULL if it is not needed. */
static void *chase_of(const struct pursuit *pursuit,
                      const struct chase_kind *kind)
{
    int i = 0;
    while (chase_kinds[i] != kind)
        i++;
    return pursuit->chases[i];
}

/* ---- construction ---- */

static enum status wave_chase_begin(struct pursuit *pursuit,
                                    struct error *error)
{
    const struct pursuit_view *view = &pursuit->view;
    struct wave_chase_view waves = {
        .agents = &pursuit->agents,
        .terrain = view->ranks ? view->held : view->terrain,
        .waves = view->waves,
        .wave = view->wave,
        .arrival = view->arrival,
        .sight = view->pursuit->sight,
        .team = view->team,
        .share = view->share,
        .halo = view->halo,
    };
    enum status status = STATUS_OK;
    if (view->waves)
        status = wave_chase_new(&waves, &pursuit->wave_chase, error);
    if (!status && view->ranks)
        status = sharing_init(&pursuit->sharing, view->ranks, view->share,
                              &pursuit->agents, pursuit->wave_chase, error);
    return status;
}

/* The order of moves, which breaks ties: each axis points from the target's
 * first cell to the mean of the initially free cells, so that a mirrored
 * scenario gives the mirrored chase, with any agents. */
static unsigned mirror_of(const struct terrain *terrain,
                          const struct target *target)
{
    int64_t beyond[GRID_AXES] = { 0 };
    int from[GRID_AXES], at[GRID_AXES];
    unsigned mirror = 0;
    if (!target->settings)
        return mirror;
    grid_cell(&terrain->grid, (size_t)target->cell, from);
    for (size_t cell = 0; cell < grid_cells(&terrain->grid); cell++) {
        if (terrain->wall[cell])
            continue;
        grid_cell(&terrain->grid, cell, at);
        for (int axis = 0; axis < GRID_AXES; axis++)
            beyond[axis] += at[axis] - from[axis];
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        mirror |= (unsigned)(beyond[axis] < 0) << axis;
    return mirror;
}

static enum status chases_new(struct pursuit *pursuit, struct error *error)
{
    const struct pursuit_view *view = &pursuit->view;
    struct agents *agents =
        is_first(pursuit) ? &pursuit->agents : &pursuit->no_agents;
    struct target *target =
        is_first(pursuit) ? &pursuit->target : &pursuit->no_target;
    struct chase_view chase = {
        .agents = agents,
        .target = target,
        .terrain = view->terrain,
        .settings = view->pursuit,
        .wave = view->wave,
        .arrival = view->arrival,
        .mirror = mirror_of(view->terrain, target),
    };
    enum status status = wave_chase_begin(pursuit, error);
    if (!status)
        status = heading_walk_new(agents, view->terrain, !view->ranks,
                                  &pursuit->heading_walk, error);
    for (int i = 0; chase_kinds[i] && !status; i++)
        status = pursuit_chase_new(chase_kinds[i], &chase, &pursuit->chases[i],
                                   error);
    return status;
}

/* Counts the pursuers, and those that captured, for the stop rule. */
static void count_pursuers(struct pursuit *pursuit)
{
    const struct agents *agents = &pursuit->agents;
    pursuit->pursuers = pursuit->captured = 0;
    for (size_t i = 0; i < agents->count; i++) {
        pursuit->pursuers += is_pursuer(agents, i);
        pursuit->captured += agents->state[i] == AGENT_CAPTURED;
    }
}

/* The first rank, which has the whole map, finds the places of all agents. */
static enum status take_places(struct pursuit *pursuit, enum status status,
                               struct error *error)
{
    struct agents *agents = &pursuit->agents;
    struct target *target = &pursuit->target;
    struct ranks *ranks = pursuit->view.ranks;
    if (!status && is_first(pursuit))
        status = places_fill(agents, target, pursuit->view.terrain, error);
    status = ranks_agree(ranks, status, error);
    if (status)
        return status;
    ranks_broadcast(ranks, target, sizeof *target);
    target->settings = pursuit->view.target;
    for (int axis = 0; axis < GRID_AXES; axis++)
        ranks_broadcast(ranks, agents->at[axis],
                        agents->count * sizeof *agents->at[axis]);
    return STATUS_OK;
}

static enum status make_members(struct pursuit *pursuit, struct error *error)
{
    const struct pursuit_view *view = &pursuit->view;
    struct agents *agents = &pursuit->agents;
    enum status status =
        agents_init(agents, view->agents, view->agent_count, error);
    pursuit->target.settings = view->target;
    agents->seed = pursuit->no_agents.seed = view->seed;
    random_stream(&pursuit->target.random, view->seed, "target", "");
    status = take_places(pursuit, status, error);
    if (status)
        return status;
    count_pursuers(pursuit);
    size_t room;
    if (size_multiply(agents->count, (size_t)view->wave->count, &room))
        pursuit->arrivals.items =
            memory_new(room, sizeof *pursuit->arrivals.items);
    pursuit->captures = memory_new(agents->count, sizeof *pursuit->captures);
    pursuit->cut_off = memory_new(agents->count, sizeof *pursuit->cut_off);
    if (!pursuit->arrivals.items || !pursuit->captures || !pursuit->cut_off)
        return error_memory(error);
    if (view->target && view->wave->restart == RESTART_RECEIVED &&
        is_first(pursuit))
        status = reach_init(&pursuit->reach, view->terrain, error);
    return status ? status : chases_new(pursuit, error);
}

enum status pursuit_new(const struct pursuit_view *view,
                        struct pursuit **pursuit, struct error *error)
{
    struct pursuit *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->view = *view;
    made->wave_clock.emitted = made->lee_clock.emitted = -1;
    enum status status = make_members(made, error);
    if (status)
        pursuit_release(made);
    else
        *pursuit = made;
    return status;
}

void pursuit_release(struct pursuit *pursuit)
{
    if (!pursuit)
        return;
    wave_chase_release(pursuit->wave_chase);
    heading_walk_release(pursuit->heading_walk);
    for (int i = 0; chase_kinds[i]; i++)
        pursuit_chase_release(pursuit->chases[i]);
    sharing_release(&pursuit->sharing);
    reach_release(&pursuit->reach);
    memory_release(pursuit->cut_off);
    memory_release(pursuit->arrivals.items);
    memory_release(pursuit->captures);
    agents_release(&pursuit->agents);
    memory_release(pursuit);
}

/* ---- the waves of the target ---- */

static bool due(const struct pursuit *pursuit,
                const struct restart_clock *clock, int wave, int64_t step)
{
    const struct wave_settings *settings = pursuit->view.wave;
    if (!pursuit->view.target)
        return false;
    if (settings->restart == RESTART_ON_ARRIVAL)
        return clock->emitted < 0 || clock->arrived ||
               step - clock->emitted >= settings->lifetime;
    int64_t first = wave * settings->lifetime / settings->count;
    return step >= first && (step - first) % settings->lifetime == 0;
}

/* Marks the agents that no wave from the target's cell can reach. */
static void find_cut_off(struct pursuit *pursuit)
{
    const struct agents *agents = &pursuit->agents;
    reach_find(&pursuit->reach, (size_t)pursuit->target.cell);
    for (size_t i = 0; i < agents->count; i++) {
        double at[GRID_AXES];
        agents_place(agents, i, at);
        pursuit->cut_off[i] = !reach_holds(&pursuit->reach, at);
    }
}

/* The first rank knows the whole map, and has all agents of Lee's fronts. */
static const struct needs *find_needs(struct pursuit *pursuit, bool lee)
{
    if (is_first(pursuit))
        find_cut_off(pursuit);
    if (lee)
        return lee_chase_needs(chase_of(pursuit, &lee_chase), pursuit->cut_off);
    if (pursuit->view.ranks)
        ranks_broadcast(pursuit->view.ranks, pursuit->cut_off,
                        pursuit->agents.count);
    return wave_chase_needs(pursuit->wave_chase, pursuit->cut_off);
}

/* restart received. If k waves stay (needs.h), the others are emitted again
 * when they are (n − k)·T/n old, so that one is still emitted every T/n steps;
 * but not before each has been emitted once. */
static bool is_due(struct pursuit *pursuit, struct restart_clock *clock,
                   int wave, int64_t emitted, bool lee, int64_t step)
{
    const struct wave_settings *settings = pursuit->view.wave;
    const int64_t lifetime = settings->lifetime, count = settings->count;
    if (!pursuit->view.target || step < wave * lifetime / count)
        return false;
    if (emitted < 0)
        return true;
    if (step - clock->emitted < lifetime / count)
        return false;
    if (clock->asked != step)
        clock->needs = find_needs(pursuit, lee);
    clock->asked = step;
    const struct needs *needs = clock->needs;
    const int stay = needs ? needs_count(needs) : 0;
    if (needs && needs->stays[wave])
        return false;
    if (!stay)
        return step - emitted >= lifetime;
    return step > (count - 1) * lifetime / count &&
           step - clock->emitted >= (lifetime + count - 1) / count &&
           step - emitted >= lifetime - stay * lifetime / count;
}

bool pursuit_wave_due(struct pursuit *pursuit, int wave, int64_t step)
{
    struct restart_clock *clock = &pursuit->wave_clock;
    if (!pursuit->view.waves)
        return false;
    if (pursuit->view.wave->restart != RESTART_RECEIVED)
        return due(pursuit, clock, wave, step);
    return is_due(pursuit, clock, wave, wave_emitted(pursuit->view.waves[wave]),
                  false, step);
}

bool pursuit_lee_due(struct pursuit *pursuit, int wave, int64_t step)
{
    struct restart_clock *clock = &pursuit->lee_clock;
    const struct lee_chase *chase = chase_of(pursuit, &lee_chase);
    if (pursuit->view.wave->restart != RESTART_RECEIVED)
        return due(pursuit, clock, wave, step);
    return is_due(pursuit, clock, wave, lee_chase_sent(chase, wave), true,
                  step);
}

void pursuit_wave_emitted(struct pursuit *pursuit, int wave, size_t cell)
{
    pursuit->wave_clock =
        (struct restart_clock){ .emitted =
                                    wave_emitted(pursuit->view.waves[wave]) };
    wave_chase_emitted(pursuit->wave_chase, wave, cell);
}

void pursuit_lee_emit(struct pursuit *pursuit, int wave, size_t cell,
                      int64_t step)
{
    pursuit->lee_clock = (struct restart_clock){ .emitted = step };
    lee_chase_emit(chase_of(pursuit, &lee_chase), wave, cell, step);
}

void pursuit_catch_up(struct pursuit *pursuit)
{
    if (pursuit->wave_chase)
        wave_chase_catch_up(pursuit->wave_chase);
}

enum status pursuit_update(struct pursuit *pursuit, const struct box *box,
                           struct error *error)
{
    const struct share *share = pursuit->view.share;
    struct box held = *box;
    bool here = !share || box_meet(box, &share->held, &held);
    if (here && share)
        held = box_from(&held, share->held.low);
    if (here && pursuit->wave_chase)
        wave_chase_update(pursuit->wave_chase, &held);
    if (pursuit->wave_chase)
        wave_chase_look_anew(pursuit->wave_chase);
    pursuit->retry = true;
    pursuit->reach.known = false;
    enum status status = STATUS_OK;
    for (int i = 0; chase_kinds[i] && !status; i++)
        if (pursuit->chases[i] && chase_kinds[i]->update)
            status = chase_kinds[i]->update(pursuit->chases[i], box, error);
    return status;
}

bool pursuit_plan(struct pursuit *pursuit, int64_t step,
                  struct agent_plan *plan)
{
    for (int i = 0; chase_kinds[i]; i++)
        if (pursuit->chases[i] && chase_kinds[i]->plan &&
            chase_kinds[i]->plan(pursuit->chases[i], step, plan))
            return true;
    return false;
}

/* An agent captures at exactly the radius, including rounding errors. */
static double capture_reach(const struct pursuit *pursuit)
{
    return pursuit->view.pursuit->capture_radius + MOTION_NEAR;
}

static void capture_one(struct pursuit *pursuit, size_t agent)
{
    struct agents *agents = &pursuit->agents;
    const double *target = pursuit->target.at, radius = capture_reach(pursuit);
    double at[GRID_AXES];
    agents_place(agents, agent, at);
    if (fabs(at[0] - target[0]) > radius ||
        agents->state[agent] == AGENT_CAPTURED || !is_pursuer(agents, agent) ||
        motion_distance(at, target) > radius)
        return;
    agents->state[agent] = AGENT_CAPTURED;
    pursuit->captures[pursuit->capture_count++] = (int)agent;
}

/* Is any of them near along two axes? Without a branch, so that it is
 * vectorised. */
VECTOR_CLONES static bool any_near(const double *x, const double *y,
                                   size_t count, const double target[],
                                   double radius)
{
    int64_t near = 0;
    for (size_t i = 0; i < count; i++)
        near |= (fabs(x[i] - target[0]) <= radius) &
                (fabs(y[i] - target[1]) <= radius);
    return near;
}

/* Most agents are not near: test a whole group with one comparison first. */
static void capture(struct pursuit *pursuit)
{
    enum { GROUP = 64 };
    const struct agents *agents = &pursuit->agents;
    const double radius = capture_reach(pursuit);
    for (size_t first = 0; first < agents->count; first += GROUP) {
        size_t left = agents->count - first;
        size_t count = left < GROUP ? left : GROUP;
        if (any_near(agents->at[0] + first, agents->at[1] + first, count,
                     pursuit->target.at, radius))
            for (size_t i = 0; i < count; i++)
                capture_one(pursuit, first + i);
    }
}

/* An arrival that was lost to underflow turns no agent and restarts no wave:
 * what arrives after it may still be detected. */
static bool any_came(const struct agent_arrivals *arrivals, size_t first)
{
    for (size_t i = first; i < arrivals->count; i++)
        if (!arrivals->items[i].lost)
            return true;
    return false;
}

/* If ranks share the map, each detects waves for its own agents, moves these,
 * and then sends the result to all. */
static enum status take_waves(struct pursuit *pursuit, int64_t step,
                              struct error *error)
{
    struct agent_arrivals *arrivals = &pursuit->arrivals;
    enum status status = STATUS_OK;
    bool shared = pursuit->view.ranks && pursuit->sharing.any;
    if (!pursuit->wave_chase)
        return STATUS_OK;
    if (shared)
        sharing_begin(&pursuit->sharing);
    wave_chase_listen(pursuit->wave_chase, step, arrivals);
    wave_chase_walk(pursuit->wave_chase);
    if (shared) {
        sharing_move(&pursuit->sharing, pursuit->view.held, pursuit->retry);
        status = sharing_news(&pursuit->sharing, arrivals, error);
    }
    pursuit->wave_clock.arrived |= any_came(arrivals, 0);
    return status;
}

static void take_lee(struct pursuit *pursuit, int64_t step)
{
    struct agent_arrivals *arrivals = &pursuit->arrivals;
    size_t by_wave = arrivals->count;
    lee_chase_listen(chase_of(pursuit, &lee_chase), step, arrivals);
    pursuit->lee_clock.arrived |= any_came(arrivals, by_wave);
}

/* The agents whose methods need the whole map, and the target. */
static void move_others(struct pursuit *pursuit, int64_t step)
{
    take_lee(pursuit, step);
    heading_walk_move(pursuit->heading_walk, pursuit->retry);
    for (int i = 0; chase_kinds[i]; i++)
        if (pursuit->chases[i])
            chase_kinds[i]->move(pursuit->chases[i]);
    if (pursuit->target.settings)
        target_step(&pursuit->target, pursuit->view.terrain);
}

enum status pursuit_step(struct pursuit *pursuit, int64_t step,
                         struct error *error)
{
    enum status status = STATUS_OK;
    bool first = is_first(pursuit), target = pursuit->target.settings;
    pursuit->arrivals.count = pursuit->capture_count = 0;
    if (step > 0)
        status = take_waves(pursuit, step, error);
    if (!status && step > 0 && first)
        move_others(pursuit, step);
    if (!status && target && first)
        capture(pursuit);
    if (!status && target && pursuit->view.ranks)
        sharing_outcome(&pursuit->sharing, &pursuit->target, pursuit->captures,
                        &pursuit->capture_count);
    pursuit->captured += pursuit->capture_count;
    if (step > 0)
        pursuit->retry = false;
    return status;
}

bool pursuit_over(const struct pursuit *pursuit)
{
    switch (pursuit->view.pursuit->stop) {
    case STOP_ALL_CAPTURED:
        return pursuit->pursuers > 0 && pursuit->captured == pursuit->pursuers;
    case STOP_ANY_CAPTURED:
        return pursuit->captured > 0;
    case STOP_NEVER:
        break;
    }
    return false;
}

const struct agents *pursuit_agents(const struct pursuit *pursuit)
{
    return &pursuit->agents;
}

const struct relay_counters *pursuit_relay(const struct pursuit *pursuit)
{
    return relay_walk_counters(chase_of(pursuit, &relay_walk));
}

const struct target *pursuit_target(const struct pursuit *pursuit)
{
    return &pursuit->target;
}

const struct agent_arrivals *pursuit_arrivals(const struct pursuit *pursuit)
{
    return &pursuit->arrivals;
}

const int *pursuit_captures(const struct pursuit *pursuit, size_t *count)
{
    *count = pursuit->capture_count;
    return pursuit->captures;
}

enum status pursuit_state_ready(struct pursuit *pursuit, struct error *error)
{
    if (!pursuit->view.ranks || !pursuit->sharing.any || !pursuit->wave_chase)
        return STATUS_OK;
    return sharing_send_watches(&pursuit->sharing, error);
}

static void clock_state(struct restart_clock *clock, struct state *state)
{
    state_visit_steps(state, &clock->emitted, 1);
    state_visit_whole(state, &clock->arrived, 1, false, true);
}

void pursuit_state(struct pursuit *pursuit, struct state *state)
{
    agents_state(&pursuit->agents, &pursuit->target,
                 &pursuit->view.terrain->grid, state);
    if (state->mode == STATE_LOAD) {
        count_pursuers(pursuit);
        pursuit->retry = true;
        pursuit->reach.known = false;
    }
    clock_state(&pursuit->wave_clock, state);
    clock_state(&pursuit->lee_clock, state);
    if (pursuit->wave_chase)
        wave_chase_state(pursuit->wave_chase, state);
    state_first_begin(state);
    for (int i = 0; chase_kinds[i]; i++)
        if (pursuit->chases[i] && chase_kinds[i]->state)
            chase_kinds[i]->state(pursuit->chases[i], state);
    state_first_end(state);
}
