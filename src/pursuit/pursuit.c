/* SPDX-License-Identifier: MIT */
#include "pursuit/pursuit.h"

#include "base/memory.h"
#include "pursuit/evader.h"
#include "pursuit/heading_walk.h"
#include "pursuit/lee_chase.h"
#include "pursuit/motion.h"
#include "pursuit/pincer_chase.h"
#include "pursuit/places.h"
#include "pursuit/relay_walk.h"
#include "pursuit/route_chase.h"
#include "pursuit/target.h"
#include "pursuit/wave_chase.h"

#include <math.h>
#include <string.h>

/* The restart on arrival: the step of the last emission, and whether an agent
 * has reacted to it. */
struct restart_clock {
    int64_t emitted, arrived;
};

struct pursuit {
    struct pursuit_view view;
    struct agents agents;
    struct target target;
    struct wave_chase *wave_chase; /* NULL where no wave runs */
    struct lee_chase *lee_chase;
    struct heading_walk *heading_walk;
    struct route_chase *route_chase;
    struct pincer_chase *pincer_chase, *wave_pincer_chase;
    struct relay_walk *relay_walk;
    struct evader *evader;
    struct restart_clock wave_clock, lee_clock;
    struct agent_arrivals arrivals;
    int *captures; /* agents; room for all */
    size_t capture_count;
    size_t pursuers, captured; /* agents, and those of them that are done */
    bool retry; /* the map changed: who was blocked may be free now */
};

static enum status chases_new(struct pursuit *pursuit, struct error *error)
{
    const struct pursuit_view *view = &pursuit->view;
    struct wave_chase_view waves = {
        .agents = &pursuit->agents,
        .terrain = view->terrain,
        .waves = view->waves,
        .wave = view->wave,
        .arrival = view->arrival,
        .team = view->team,
    };
    struct pincer_chase_view pincers = {
        .agents = &pursuit->agents,
        .target = &pursuit->target,
        .terrain = view->terrain,
        .settings = view->pursuit,
        .wave = view->wave,
        .arrival = view->arrival,
    };
    enum status status = STATUS_OK;
    if (view->waves)
        status = wave_chase_new(&waves, &pursuit->wave_chase, error);
    if (!status)
        status =
            lee_chase_new(&pursuit->agents, view->terrain, view->wave->count,
                          view->wave->lifetime, &pursuit->lee_chase, error);
    if (!status)
        status = heading_walk_new(&pursuit->agents, view->terrain,
                                  &pursuit->heading_walk, error);
    if (!status)
        status =
            route_chase_new(&pursuit->agents, &pursuit->target, view->terrain,
                            view->pursuit, &pursuit->route_chase, error);
    if (!status)
        status = pincer_chase_new(&pincers, METHOD_PINCER,
                                  &pursuit->pincer_chase, error);
    if (!status)
        status = pincer_chase_new(&pincers, METHOD_WAVE_PINCER,
                                  &pursuit->wave_pincer_chase, error);
    if (!status)
        status =
            relay_walk_new(&pursuit->agents, &pursuit->target, view->terrain,
                           view->pursuit, &pursuit->relay_walk, error);
    if (!status)
        status = evader_new(&pursuit->agents, &pursuit->target, view->terrain,
                            view->pursuit, &pursuit->evader, error);
    return status;
}

static bool is_pursuer(const struct agents *agents, size_t agent)
{
    return !agents->settings[agent]->goal_random;
}

/* Who pursues, and who of them is done, as the stop rule asks at each step. */
static void count_pursuers(struct pursuit *pursuit)
{
    const struct agents *agents = &pursuit->agents;
    pursuit->pursuers = pursuit->captured = 0;
    for (size_t i = 0; i < agents->count; i++) {
        pursuit->pursuers += is_pursuer(agents, i);
        pursuit->captured += agents->state[i] == AGENT_CAPTURED;
    }
}

static enum status fill(struct pursuit *pursuit, struct random *random,
                        struct error *error)
{
    const struct pursuit_view *view = &pursuit->view;
    struct agents *agents = &pursuit->agents;
    enum status status =
        agents_init(agents, view->agents, view->agent_count, error);
    if (status)
        return status;
    pursuit->target.settings = view->target;
    status =
        places_fill(agents, &pursuit->target, view->terrain, random, error);
    if (status)
        return status;
    count_pursuers(pursuit);
    size_t room;
    if (size_multiply(agents->count, (size_t)view->wave->count, &room))
        pursuit->arrivals.items =
            memory_new(room, sizeof *pursuit->arrivals.items);
    pursuit->captures = memory_new(agents->count, sizeof *pursuit->captures);
    if (!pursuit->arrivals.items || !pursuit->captures)
        return error_memory(error);
    return chases_new(pursuit, error);
}

enum status pursuit_new(const struct pursuit_view *view, struct random *random,
                        struct pursuit **pursuit, struct error *error)
{
    struct pursuit *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->view = *view;
    made->wave_clock.emitted = made->lee_clock.emitted = -1;
    enum status status = fill(made, random, error);
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
    lee_chase_release(pursuit->lee_chase);
    heading_walk_release(pursuit->heading_walk);
    route_chase_release(pursuit->route_chase);
    pincer_chase_release(pursuit->pincer_chase);
    pincer_chase_release(pursuit->wave_pincer_chase);
    relay_walk_release(pursuit->relay_walk);
    evader_release(pursuit->evader);
    memory_release(pursuit->arrivals.items);
    memory_release(pursuit->captures);
    agents_release(&pursuit->agents);
    memory_release(pursuit);
}

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

bool pursuit_wave_due(const struct pursuit *pursuit, int wave, int64_t step)
{
    return pursuit->view.waves &&
           due(pursuit, &pursuit->wave_clock, wave, step);
}

bool pursuit_lee_due(const struct pursuit *pursuit, int wave, int64_t step)
{
    return due(pursuit, &pursuit->lee_clock, wave, step);
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
    lee_chase_emit(pursuit->lee_chase, wave, cell, step);
}

enum status pursuit_update(struct pursuit *pursuit, const struct box *box,
                           struct error *error)
{
    if (pursuit->wave_chase)
        wave_chase_update(pursuit->wave_chase, box);
    lee_chase_update(pursuit->lee_chase, box);
    pursuit->retry = true;
    enum status status = route_chase_update(pursuit->route_chase, box, error);
    if (!status)
        status = pincer_chase_update(pursuit->pincer_chase, box, error);
    if (!status)
        status = pincer_chase_update(pursuit->wave_pincer_chase, box, error);
    if (!status)
        status = relay_walk_update(pursuit->relay_walk, box, error);
    return status ? status : evader_update(pursuit->evader, box, error);
}

bool pursuit_plan(struct pursuit *pursuit, int64_t step, struct random *random,
                  struct agent_plan *plan)
{
    if (route_chase_plan(pursuit->route_chase, step, random, plan) ||
        pincer_chase_plan(pursuit->pincer_chase, step, random, plan) ||
        pincer_chase_plan(pursuit->wave_pincer_chase, step, random, plan) ||
        relay_walk_plan(pursuit->relay_walk, step, plan))
        return true;
    evader_plan(pursuit->evader, step, random);
    return false;
}

static void position(const struct agents *agents, size_t agent,
                     double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = agents->at[axis][agent];
}

static void capture(struct pursuit *pursuit)
{
    struct agents *agents = &pursuit->agents;
    const double *target = pursuit->target.at,
                 radius = pursuit->view.pursuit->capture_radius;
    pursuit->capture_count = 0;
    for (size_t i = 0; i < agents->count; i++) {
        if (fabs(agents->at[0][i] - target[0]) > radius ||
            agents->state[i] == AGENT_CAPTURED || !is_pursuer(agents, i))
            continue;
        double at[GRID_AXES];
        position(agents, i, at);
        if (motion_distance(at, target) > radius)
            continue;
        agents->state[i] = AGENT_CAPTURED;
        pursuit->captures[pursuit->capture_count++] = (int)i;
    }
    pursuit->captured += pursuit->capture_count;
}

/* An arrival that was lost turns nobody, and restarts nothing: what comes
 * behind it may still be heard. */
static bool any_came(const struct agent_arrivals *arrivals, size_t first)
{
    for (size_t i = first; i < arrivals->count; i++)
        if (!arrivals->items[i].lost)
            return true;
    return false;
}

static void listen(struct pursuit *pursuit, int64_t step)
{
    struct agent_arrivals *arrivals = &pursuit->arrivals;
    if (pursuit->wave_chase)
        wave_chase_listen(pursuit->wave_chase, step, arrivals);
    pursuit->wave_clock.arrived |= any_came(arrivals, 0);
    size_t by_wave = arrivals->count;
    lee_chase_listen(pursuit->lee_chase, step, arrivals);
    pursuit->lee_clock.arrived |= any_came(arrivals, by_wave);
}

void pursuit_step(struct pursuit *pursuit, int64_t step, struct random *random)
{
    pursuit->arrivals.count = 0;
    if (step > 0) {
        listen(pursuit, step);
        heading_walk_move(pursuit->heading_walk, pursuit->retry);
        pursuit->retry = false;
        route_chase_move(pursuit->route_chase);
        pincer_chase_move(pursuit->pincer_chase);
        pincer_chase_move(pursuit->wave_pincer_chase);
        relay_walk_move(pursuit->relay_walk, random);
        evader_move(pursuit->evader);
        if (pursuit->target.settings)
            target_step(&pursuit->target, pursuit->view.terrain, random);
    }
    if (pursuit->target.settings)
        capture(pursuit);
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
    return relay_walk_counters(pursuit->relay_walk);
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

void pursuit_state(struct pursuit *pursuit, struct state *state)
{
    agents_state(&pursuit->agents, &pursuit->target, state);
    if (state->mode == STATE_LOAD) {
        count_pursuers(pursuit);
        pursuit->retry = true;
    }
    state_visit(state, &pursuit->wave_clock, sizeof pursuit->wave_clock);
    state_visit(state, &pursuit->lee_clock, sizeof pursuit->lee_clock);
    if (pursuit->wave_chase)
        wave_chase_state(pursuit->wave_chase, state);
    lee_chase_state(pursuit->lee_chase, state);
    route_chase_state(pursuit->route_chase, state);
    pincer_chase_state(pursuit->pincer_chase, state);
    pincer_chase_state(pursuit->wave_pincer_chase, state);
    relay_walk_state(pursuit->relay_walk, state);
    evader_state(pursuit->evader, state);
}
