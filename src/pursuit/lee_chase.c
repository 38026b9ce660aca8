/* SPDX-License-Identifier: MIT */
#include "pursuit/lee_chase.h"

#include "base/memory.h"
#include "pursuit/lee.h"
#include "pursuit/motion.h"
#include "pursuit/oldest_first.h"
#include "pursuit/trail_walk.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct lee_chase {
    struct agents *agents;
    const struct terrain *terrain;
    int waves;
    int64_t lifetime;
    double sight;
    unsigned mirror;        /* of the order of moves, which breaks ties */
    double lean[GRID_AXES]; /* the same, for cells that are equally near */
    struct fall fall;       /* of minus the steps */
    struct trail_walk walk; /* of the agents that steer at every step */
    size_t *chasers;        /* (chaser_count) agents */
    size_t chaser_count;
    struct lee_front *fronts; /* (waves) */
    uint8_t *reacted;         /* (waves, chaser_count) */
    int64_t *emitted;         /* (waves) */
    int *order;               /* (waves): the oldest front first */
};

static double potential(const void *context, size_t cell, bool *settled)
{
    const int32_t steps = lee_front_distance(context, cell);
    *settled = steps >= 0;
    return *settled ? -(double)steps : -INFINITY;
}

static enum status walk_new(struct lee_chase *chase, struct error *error)
{
    const struct trail_walk_view view = {
        .agents = chase->agents,
        .method = METHOD_LEE,
        .terrain = chase->terrain,
        .sight = chase->sight,
        .waves = chase->waves,
    };
    fall_of_time(1, &chase->fall);
    enum status status = trail_walk_init(&chase->walk, &view, error);
    for (int i = 0; i < chase->waves && chase->walk.trails && !status; i++)
        status = trail_walk_name(&chase->walk, i, potential, NULL,
                                 &chase->fronts[i], &chase->fall, error);
    for (int i = 0; i < chase->waves && chase->walk.trails; i++)
        chase->walk.trails[i].mirror = chase->mirror;
    return status;
}

static enum status fill(struct lee_chase *chase, struct error *error)
{
    const struct agents *agents = chase->agents;
    size_t waves = (size_t)chase->waves, flags;
    chase->chasers = memory_new(agents->count, sizeof *chase->chasers);
    if (!chase->chasers)
        return error_memory(error);
    for (size_t i = 0; i < agents->count; i++)
        if (agents->settings[i]->method == METHOD_LEE)
            chase->chasers[chase->chaser_count++] = i;
    if (!chase->chaser_count)
        return STATUS_OK;
    chase->fronts = memory_new(waves, sizeof *chase->fronts);
    chase->emitted = memory_new(waves, sizeof *chase->emitted);
    chase->order = memory_new(waves, sizeof *chase->order);
    if (size_multiply(chase->chaser_count, waves, &flags))
        chase->reacted = memory_new(flags, sizeof *chase->reacted);
    if (!chase->fronts || !chase->emitted || !chase->order || !chase->reacted)
        return error_memory(error);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < waves && !status; i++)
        status = lee_front_init(&chase->fronts[i], chase->terrain, error);
    return status ? status : walk_new(chase, error);
}

enum status lee_chase_new(const struct chase_view *view,
                          struct lee_chase **chase, struct error *error)
{
    const struct wave_settings *waves = view->wave;
    struct lee_chase *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->agents = view->agents;
    made->terrain = view->terrain;
    made->waves = waves->count;
    made->lifetime =
        waves->restart == RESTART_RECEIVED ? INT64_MAX : waves->lifetime;
    made->sight = view->settings->sight;
    made->mirror = view->mirror;
    for (int axis = 0; axis < GRID_AXES; axis++)
        made->lean[axis] = view->mirror >> axis & 1 ? -1 : 1;
    enum status status = fill(made, error);
    if (status)
        lee_chase_release(made);
    else
        *chase = made;
    return status;
}

void lee_chase_release(struct lee_chase *chase)
{
    if (!chase)
        return;
    for (int i = 0; chase->fronts && i < chase->waves; i++)
        lee_front_release(&chase->fronts[i]);
    trail_walk_release(&chase->walk);
    memory_release(chase->fronts);
    memory_release(chase->emitted);
    memory_release(chase->order);
    memory_release(chase->reacted);
    memory_release(chase->chasers);
    memory_release(chase);
}

static uint8_t *reacted_to(struct lee_chase *chase, int wave)
{
    return &chase->reacted[(size_t)wave * chase->chaser_count];
}

void lee_chase_emit(struct lee_chase *chase, int wave, size_t cell,
                    int64_t step)
{
    if (!chase->chaser_count)
        return;
    trail_walk_keep(&chase->walk, wave);
    lee_front_emit(&chase->fronts[wave], cell, step);
    trail_walk_emitted(&chase->walk, wave, cell, step);
    memset(reacted_to(chase, wave), 0, chase->chaser_count);
}

void lee_chase_update(struct lee_chase *chase, const struct box *box)
{
    for (int i = 0; i < chase->waves && chase->chaser_count; i++)
        lee_front_update(&chase->fronts[i], box);
    trail_walk_update(&chase->walk, box);
}

/* The agent reacts if the front has reached its cell; false if it has not. */
static bool react(struct lee_chase *chase, size_t agent, int wave, int64_t step,
                  struct agent_arrivals *arrivals)
{
    struct agents *agents = chase->agents;
    const struct lee_front *front = &chase->fronts[wave];
    double at[GRID_AXES], heading[GRID_AXES];
    agents_place(agents, agent, at);
    size_t cell = motion_cell_leaning(chase->terrain, at, chase->lean);
    int32_t distance = lee_front_distance(front, cell);
    if (distance < 0 || !lee_front_heading(front, cell, chase->mirror, heading))
        return false;
    struct agent_arrival *arrival = &arrivals->items[arrivals->count++];
    *arrival = (struct agent_arrival){
        .agent = (int)agent, .wave = wave, .step = step, .amplitude = distance
    };
    memcpy(arrival->heading, heading, sizeof heading);
    if (trail_walk_has(&chase->walk, agent))
        return true;
    for (int axis = 0; axis < GRID_AXES; axis++)
        agents->heading[axis][agent] = heading[axis];
    agents->state[agent] = AGENT_MOVING;
    return true;
}

void lee_chase_listen(struct lee_chase *chase, int64_t step,
                      struct agent_arrivals *arrivals)
{
    if (!chase->chaser_count)
        return;
    for (int i = 0; i < chase->waves; i++)
        chase->emitted[i] = chase->fronts[i].emitted;
    oldest_first(chase->emitted, chase->waves, chase->order);
    for (int i = 0; i < chase->waves; i++) {
        int wave = chase->order[i];
        struct lee_front *front = &chase->fronts[wave];
        uint8_t *reacted = reacted_to(chase, wave);
        if (front->emitted < 0 || step - front->emitted > chase->lifetime)
            continue;
        lee_front_step(front);
        for (size_t j = 0; j < chase->chaser_count; j++) {
            size_t agent = chase->chasers[j];
            if (!reacted[j] && chase->agents->state[agent] != AGENT_CAPTURED)
                reacted[j] = react(chase, agent, wave, step, arrivals);
        }
    }
}

void lee_chase_walk(struct lee_chase *chase)
{
    trail_walk_move(&chase->walk);
}

int64_t lee_chase_sent(const struct lee_chase *chase, int wave)
{
    return chase->fronts ? chase->fronts[wave].emitted : -1;
}

bool lee_chase_received(const struct lee_chase *chase, int wave)
{
    if (!chase->fronts || !chase->fronts[wave].cone.count)
        return true;
    for (size_t i = 0; i < chase->chaser_count; i++) {
        const size_t agent = chase->chasers[i];
        bool received = false;
        if (chase->agents->state[agent] == AGENT_CAPTURED)
            continue;
        if (trail_walk_has(&chase->walk, agent))
            received =
                chase->walk.holds[agent].emitted >= chase->fronts[wave].emitted;
        for (int j = 0; j < chase->waves && !received; j++)
            received =
                chase->fronts[j].emitted >= chase->fronts[wave].emitted &&
                chase->reacted[(size_t)j * chase->chaser_count + i];
        if (!received)
            return false;
    }
    return true;
}

void lee_chase_state(struct lee_chase *chase, struct state *state)
{
    if (!chase->chaser_count)
        return;
    state_visit_kinds(state, chase->reacted,
                      chase->chaser_count * (size_t)chase->waves, true);
    for (int i = 0; i < chase->waves; i++)
        lee_front_state(&chase->fronts[i], state);
    trail_walk_holds_state(&chase->walk, state);
    for (int i = 0; i < chase->waves; i++)
        trail_walk_trail_state(&chase->walk, i, state);
}
