/* SPDX-License-Identifier: MIT */
#include "pursuit/pursuit_parts.h"

#include "base/clones.h"
#include "pursuit/motion.h"
#include "pursuit/target.h"

#include <math.h>
#include <string.h>

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

bool pursuit_plan(struct pursuit *pursuit, int64_t step,
                  struct agent_plan *plan)
{
    if (route_chase_plan(pursuit->route_chase, step, plan) ||
        pincer_chase_plan(pursuit->pincer_chase, step, plan) ||
        pincer_chase_plan(pursuit->wave_pincer_chase, step, plan) ||
        relay_walk_plan(pursuit->relay_walk, step, plan))
        return true;
    evader_plan(pursuit->evader, step);
    return false;
}

static void capture_one(struct pursuit *pursuit, size_t agent)
{
    struct agents *agents = &pursuit->agents;
    const double *target = pursuit->target.at,
                 radius = pursuit->view.pursuit->capture_radius;
    double at[GRID_AXES];
    agents_place(agents, agent, at);
    if (fabs(at[0] - target[0]) > radius ||
        agents->state[agent] == AGENT_CAPTURED || !is_pursuer(agents, agent) ||
        motion_distance(at, target) > radius)
        return;
    agents->state[agent] = AGENT_CAPTURED;
    pursuit->captures[pursuit->capture_count++] = (int)agent;
}

/* Is any of them near, along two axes? Without a branch, for vectors. */
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

/* Few ever are: of a group it is asked at once. */
static void capture(struct pursuit *pursuit)
{
    enum { GROUP = 64 };
    const struct agents *agents = &pursuit->agents;
    const double radius = pursuit->view.pursuit->capture_radius;
    for (size_t first = 0; first < agents->count; first += GROUP) {
        size_t left = agents->count - first;
        size_t count = left < GROUP ? left : GROUP;
        if (any_near(agents->at[0] + first, agents->at[1] + first, count,
                     pursuit->target.at, radius))
            for (size_t i = 0; i < count; i++)
                capture_one(pursuit, first + i);
    }
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

/* Where ranks share the world each listens for its own agents and moves them,
 * and then all know. */
static enum status hear_waves(struct pursuit *pursuit, int64_t step,
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
    if (shared) {
        sharing_move(&pursuit->sharing, pursuit->view.held, pursuit->retry);
        status = sharing_news(&pursuit->sharing, arrivals, error);
    }
    pursuit->wave_clock.arrived |= any_came(arrivals, 0);
    return status;
}

static void hear_lee(struct pursuit *pursuit, int64_t step)
{
    struct agent_arrivals *arrivals = &pursuit->arrivals;
    size_t by_wave = arrivals->count;
    lee_chase_listen(pursuit->lee_chase, step, arrivals);
    pursuit->lee_clock.arrived |= any_came(arrivals, by_wave);
}

/* What needs the whole map. */
static void move_others(struct pursuit *pursuit, int64_t step)
{
    hear_lee(pursuit, step);
    heading_walk_move(pursuit->heading_walk, pursuit->retry);
    route_chase_move(pursuit->route_chase);
    pincer_chase_move(pursuit->pincer_chase);
    pincer_chase_move(pursuit->wave_pincer_chase);
    relay_walk_move(pursuit->relay_walk);
    evader_move(pursuit->evader);
    if (pursuit->target.settings)
        target_step(&pursuit->target, pursuit->view.terrain);
}

enum status pursuit_step(struct pursuit *pursuit, int64_t step,
                         struct error *error)
{
    enum status status = STATUS_OK;
    bool first = pursuit_is_first(pursuit), target = pursuit->target.settings;
    pursuit->arrivals.count = pursuit->capture_count = 0;
    if (step > 0)
        status = hear_waves(pursuit, step, error);
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

enum status pursuit_state_ready(struct pursuit *pursuit, struct error *error)
{
    if (!pursuit->view.ranks || !pursuit->sharing.any || !pursuit->wave_chase)
        return STATUS_OK;
    return sharing_tell_watches(&pursuit->sharing, error);
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
        pursuit_count(pursuit);
        pursuit->retry = true;
    }
    clock_state(&pursuit->wave_clock, state);
    clock_state(&pursuit->lee_clock, state);
    if (pursuit->wave_chase)
        wave_chase_state(pursuit->wave_chase, state);
    state_first_begin(state);
    lee_chase_state(pursuit->lee_chase, state);
    route_chase_state(pursuit->route_chase, state);
    pincer_chase_state(pursuit->pincer_chase, state);
    pincer_chase_state(pursuit->wave_pincer_chase, state);
    relay_walk_state(pursuit->relay_walk, state);
    evader_state(pursuit->evader, state);
    state_first_end(state);
}
