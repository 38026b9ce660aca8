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
    struct chase_view view;
    int waves;
    int64_t lifetime;
    double
        lean[GRID_AXES]; /* of view.mirror: for cells that are equally near */
    struct fall fall;    /* of minus the steps */
    struct trail_walk walk;   /* of the agents that steer at every step */
    size_t *chasers;          /* (view.count) agents */
    struct lee_front *fronts; /* (waves) */
    uint8_t *reacted;         /* (waves, view.count) */
    struct needs needs;       /* of lee_chase_needs */
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
        .agents = chase->view.agents,
        .method = METHOD_LEE,
        .terrain = chase->view.terrain,
        .sight = chase->view.settings->sight,
        .waves = chase->waves,
    };
    fall_of_time(1, &chase->fall);
    enum status status = trail_walk_init(&chase->walk, &view, error);
    for (int i = 0; i < chase->waves && chase->walk.trails && !status; i++)
        status = trail_walk_name(&chase->walk, i, potential, NULL,
                                 &chase->fronts[i], &chase->fall, error);
    for (int i = 0; i < chase->waves && chase->walk.trails; i++)
        chase->walk.trails[i].mirror = chase->view.mirror;
    return status;
}

static enum status init(void *of, struct error *error)
{
    struct lee_chase *chase = of;
    const struct chase_view *view = &chase->view;
    const struct wave_settings *settings = view->wave;
    size_t waves = (size_t)settings->count, flags, made = 0;
    chase->waves = settings->count;
    chase->lifetime =
        settings->restart == RESTART_RECEIVED ? INT64_MAX : settings->lifetime;
    for (int axis = 0; axis < GRID_AXES; axis++)
        chase->lean[axis] = view->mirror >> axis & 1 ? -1 : 1;
    chase->chasers = memory_new(view->count, sizeof *chase->chasers);
    chase->fronts = memory_new(waves, sizeof *chase->fronts);
    chase->emitted = memory_new(waves, sizeof *chase->emitted);
    chase->order = memory_new(waves, sizeof *chase->order);
    if (size_multiply(chase->view.count, waves, &flags))
        chase->reacted = memory_new(flags, sizeof *chase->reacted);
    if (!chase->chasers || !chase->fronts || !chase->emitted || !chase->order ||
        !chase->reacted)
        return error_memory(error);
    for (size_t i = 0; i < view->agents->count; i++)
        if (chase_steers(view, i))
            chase->chasers[made++] = i;
    enum status status = needs_init(&chase->needs, chase->waves, error);
    for (size_t i = 0; i < waves && !status; i++)
        status = lee_front_init(&chase->fronts[i], chase->view.terrain, error);
    return status ? status : walk_new(chase, error);
}

static void release(void *of)
{
    struct lee_chase *chase = of;
    for (int i = 0; chase->fronts && i < chase->waves; i++)
        lee_front_release(&chase->fronts[i]);
    trail_walk_release(&chase->walk);
    needs_release(&chase->needs);
    memory_release(chase->fronts);
    memory_release(chase->emitted);
    memory_release(chase->order);
    memory_release(chase->reacted);
    memory_release(chase->chasers);
}

static uint8_t *reacted_to(struct lee_chase *chase, int wave)
{
    return &chase->reacted[(size_t)wave * chase->view.count];
}

void lee_chase_emit(struct lee_chase *chase, int wave, size_t cell,
                    int64_t step)
{
    if (!chase)
        return;
    trail_walk_keep(&chase->walk, wave);
    lee_front_emit(&chase->fronts[wave], cell, step);
    trail_walk_emitted(&chase->walk, wave, cell, step);
    memset(reacted_to(chase, wave), 0, chase->view.count);
}

static enum status update(void *of, const struct box *box, struct error *error)
{
    struct lee_chase *chase = of;
    (void)error;
    for (int i = 0; i < chase->waves; i++)
        lee_front_update(&chase->fronts[i], box);
    trail_walk_update(&chase->walk, box);
    trail_walk_look_anew(&chase->walk);
    return STATUS_OK;
}

/* The agent reacts if the front has reached its cell; false if it has not. */
static bool react(struct lee_chase *chase, size_t agent, int wave, int64_t step,
                  struct agent_arrivals *arrivals)
{
    struct agents *agents = chase->view.agents;
    const struct lee_front *front = &chase->fronts[wave];
    double at[GRID_AXES], heading[GRID_AXES];
    agents_place(agents, agent, at);
    size_t cell = motion_cell_leaning(chase->view.terrain, at, chase->lean);
    int32_t distance = lee_front_distance(front, cell);
    if (distance < 0 ||
        !lee_front_heading(front, cell, chase->view.mirror, heading))
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
    if (!chase)
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
        for (size_t j = 0; j < chase->view.count; j++) {
            size_t agent = chase->chasers[j];
            if (!reacted[j] &&
                chase->view.agents->state[agent] != AGENT_CAPTURED)
                reacted[j] = react(chase, agent, wave, step, arrivals);
        }
    }
}

static void move(void *of)
{
    struct lee_chase *chase = of;
    trail_walk_move(&chase->walk);
}

int64_t lee_chase_sent(const struct lee_chase *chase, int wave)
{
    return chase ? chase->fronts[wave].emitted : -1;
}

/* The newest front that an agent follows or has reacted to. */
static int64_t received(const struct lee_chase *chase, size_t chaser)
{
    const size_t agent = chase->chasers[chaser];
    int64_t newest = trail_walk_has(&chase->walk, agent)
                         ? chase->walk.holds[agent].emitted
                         : -1;
    for (int i = 0; i < chase->waves; i++)
        if (chase->reacted[(size_t)i * chase->view.count + chaser] &&
            chase->fronts[i].emitted > newest)
            newest = chase->fronts[i].emitted;
    return newest;
}

const struct needs *lee_chase_needs(struct lee_chase *chase,
                                    const uint8_t *cut_off)
{
    if (!chase)
        return NULL;
    struct needs *needs = &chase->needs;
    for (int i = 0; i < needs->waves; i++) {
        needs->emitted[i] = chase->fronts[i].emitted;
        needs->over[i] = !chase->fronts[i].cone.count;
        needs->stays[i] = false;
    }
    for (size_t i = 0; i < chase->view.count; i++)
        if (chase->view.agents->state[chase->chasers[i]] != AGENT_CAPTURED &&
            !cut_off[chase->chasers[i]])
            needs_add(needs, received(chase, i));
    needs_limit(needs);
    for (int i = 0; i < needs->waves && chase->walk.trails; i++)
        needs->stays[i] |= trail_walk_leads(&chase->walk, i, cut_off);
    return needs;
}

static void state(void *of, struct state *state)
{
    struct lee_chase *chase = of;
    state_visit_kinds(state, chase->reacted,
                      chase->view.count * (size_t)chase->waves, true);
    for (int i = 0; i < chase->waves; i++)
        lee_front_state(&chase->fronts[i], state);
    trail_walk_holds_state(&chase->walk, state);
    for (int i = 0; i < chase->waves; i++)
        trail_walk_trail_state(&chase->walk, i, state);
}

const struct chase_kind lee_chase = {
    .size = sizeof(struct lee_chase),
    .init = init,
    .release = release,
    .update = update,
    .move = move,
    .state = state,
};
