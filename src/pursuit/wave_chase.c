/* SPDX-License-Identifier: MIT */
#include "pursuit/wave_chase.h"

#include "base/memory.h"
#include "pursuit/hearing.h"
#include "pursuit/waiting.h"

#include <stdlib.h>
#include <string.h>

/* An agent that is steered. */
struct listener {
    size_t agent;
    int64_t newest; /* the emission last reacted to, or −1 */
};

struct wave_chase {
    struct wave_chase_view view;
    struct hearing_rules rules;
    struct listener *listeners; /* (listener_count), rising agents */
    size_t listener_count;
    struct arrival_watch *watches; /* (waves, listener_count) */
    struct waiting *waiting;       /* (waves): who may still react to it */
    struct hearing *hearings;      /* (waves) */
    int *order;                    /* (waves): the oldest emission first */
};

static size_t wave_count(const struct wave_chase *chase)
{
    return (size_t)chase->view.wave->count;
}

static struct arrival_watch *watches_of(const struct wave_chase *chase,
                                        size_t wave)
{
    return &chase->watches[wave * chase->listener_count];
}

static enum status listeners_new(struct wave_chase *chase, struct error *error)
{
    const struct agents *agents = chase->view.agents;
    chase->listeners = memory_new(agents->count, sizeof *chase->listeners);
    if (!chase->listeners)
        return error_memory(error);
    for (size_t i = 0; i < agents->count; i++)
        if (agents->settings[i]->method == METHOD_WAVE)
            chase->listeners[chase->listener_count++] =
                (struct listener){ .agent = i, .newest = -1 };
    return STATUS_OK;
}

static enum status fill(struct wave_chase *chase, struct error *error)
{
    const struct wave_chase_view *view = &chase->view;
    size_t waves = wave_count(chase), watches;
    chase->rules =
        hearing_rules_of(view->terrain, view->wave, view->arrival, view->team);
    if (view->halo) {
        chase->rules.share = *view->share;
        chase->rules.halo = view->halo;
    }
    enum status status = listeners_new(chase, error);
    if (status || !chase->listener_count)
        return status;
    if (!size_multiply(chase->listener_count, waves, &watches))
        return error_memory(error);
    chase->watches = memory_new(watches, sizeof *chase->watches);
    chase->waiting = memory_new(waves, sizeof *chase->waiting);
    chase->hearings = memory_new(waves, sizeof *chase->hearings);
    chase->order = memory_new(waves, sizeof *chase->order);
    if (!chase->watches || !chase->waiting || !chase->hearings || !chase->order)
        return error_memory(error);
    for (size_t i = 0; i < waves && !status; i++) {
        status = waiting_init(&chase->waiting[i], chase->listener_count, error);
        if (!status)
            status = hearing_init(&chase->hearings[i], &chase->rules,
                                  view->waves[i], error);
    }
    return status;
}

enum status wave_chase_new(const struct wave_chase_view *view,
                           struct wave_chase **chase, struct error *error)
{
    struct wave_chase *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->view = *view;
    enum status status = fill(made, error);
    if (status)
        wave_chase_release(made);
    else
        *chase = made;
    return status;
}

void wave_chase_release(struct wave_chase *chase)
{
    if (!chase)
        return;
    for (size_t i = 0; chase->waiting && i < wave_count(chase); i++)
        waiting_release(&chase->waiting[i]);
    for (size_t i = 0; chase->hearings && i < wave_count(chase); i++)
        hearing_release(&chase->hearings[i]);
    memory_release(chase->waiting);
    memory_release(chase->hearings);
    memory_release(chase->listeners);
    memory_release(chase->watches);
    memory_release(chase->order);
    memory_release(chase);
}

/* In the coordinates of the terrain. */
static void position(const struct wave_chase *chase, size_t listener,
                     double at[GRID_AXES])
{
    double place[GRID_AXES];
    agents_place(chase->view.agents, chase->listeners[listener].agent, place);
    share_local(&chase->rules.share, place, at);
}

/* Whoever has not reacted to the wave may. */
static void list_waiting(struct wave_chase *chase, size_t wave)
{
    const struct arrival_watch *watches = watches_of(chase, wave);
    const struct hearing *hearing = &chase->hearings[wave];
    struct waiting *waiting = &chase->waiting[wave];
    waiting_clear(waiting);
    for (size_t i = 0; i < chase->listener_count; i++) {
        size_t agent = chase->listeners[i].agent;
        double at[GRID_AXES];
        position(chase, i, at);
        if (!watches[i].reacted)
            waiting_add(
                waiting, i,
                hearing_begins(hearing, at,
                               chase->view.agents->settings[agent]->speed));
    }
    waiting_order(waiting);
}

void wave_chase_emitted(struct wave_chase *chase, int wave, size_t cell)
{
    if (!chase->listener_count)
        return;
    struct arrival_watch *watches = watches_of(chase, (size_t)wave);
    memset(watches, 0, chase->listener_count * sizeof *watches);
    hearing_begin(&chase->hearings[wave], cell);
    list_waiting(chase, (size_t)wave);
}

void wave_chase_update(struct wave_chase *chase, const struct box *box)
{
    for (size_t i = 0; i < wave_count(chase) && chase->listener_count; i++)
        hearing_update(&chase->hearings[i], box);
}

static void turn(struct agents *agents, const struct agent_arrival *arrival)
{
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += arrival->heading[axis] * arrival->heading[axis];
    if (square == 0) /* the rule keeps the old heading */
        return;
    for (int axis = 0; axis < GRID_AXES; axis++)
        agents->heading[axis][arrival->agent] = arrival->heading[axis];
    agents->state[arrival->agent] = AGENT_MOVING;
}

/* Looks at the wave for one listener; true: it may still react later. */
static bool listen(struct wave_chase *chase, size_t listener, size_t wave,
                   int64_t step, struct agent_arrivals *arrivals)
{
    const struct hearing *hearing = &chase->hearings[wave];
    struct listener *who = &chase->listeners[listener];
    struct arrival_watch *watch = &watches_of(chase, wave)[listener];
    int64_t emitted = step - hearing->age;
    if (chase->view.agents->state[who->agent] == AGENT_CAPTURED)
        return false;
    if (emitted < who->newest && chase->view.arrival->ignore_older) {
        watch->reacted = true;
        return false;
    }
    if (chase->view.halo &&
        !agents_are_in(chase->view.agents, who->agent, chase->view.share))
        return !watch->reacted; /* another rank listens for it */
    double at[GRID_AXES];
    position(chase, listener, at);
    if (hearing_is_quiet(hearing, at, watch))
        return true;
    struct arrival_look look;
    struct arrival news;
    hearing_look(hearing, at, watch, &look);
    enum arrival_news kind =
        arrival_watch_feed(watch, &chase->rules.arrival, &look, &news);
    if (kind == ARRIVAL_NONE)
        return true;
    struct agent_arrival *arrival = &arrivals->items[arrivals->count++];
    *arrival = (struct agent_arrival){ .agent = (int)who->agent,
                                       .wave = (int)wave,
                                       .step = step,
                                       .amplitude = news.amplitude,
                                       .lost = kind == ARRIVAL_LOST };
    memcpy(arrival->gradient, news.gradient, sizeof arrival->gradient);
    memcpy(arrival->heading, news.heading, sizeof arrival->heading);
    if (!arrival->lost) {
        turn(chase->view.agents, arrival);
        if (emitted > who->newest)
            who->newest = emitted;
    }
    return !watch->reacted;
}

static void order_waves(struct wave_chase *chase)
{
    struct wave *const *waves = chase->view.waves;
    for (int i = 0; i < chase->view.wave->count; i++) {
        int place = i;
        for (; place > 0 && wave_emitted(waves[i]) <
                                wave_emitted(waves[chase->order[place - 1]]);
             place--)
            chase->order[place] = chase->order[place - 1];
        chase->order[place] = i;
    }
}

void wave_chase_listen(struct wave_chase *chase, int64_t step,
                       struct agent_arrivals *arrivals)
{
    if (!chase->listener_count)
        return;
    order_waves(chase);
    for (size_t i = 0; i < wave_count(chase); i++) {
        size_t wave = (size_t)chase->order[i];
        if (wave_emitted(chase->view.waves[wave]) < 0)
            continue;
        hearing_advance(&chase->hearings[wave], step);
        struct waiting *waiting = &chase->waiting[wave];
        waiting_advance(waiting, chase->hearings[wave].age);
        size_t kept = 0;
        for (size_t j = 0; j < waiting->awake_count; j++) {
            int32_t listener = waiting->awake[j];
            if (listen(chase, (size_t)listener, wave, step, arrivals))
                waiting->awake[kept++] = listener;
        }
        waiting->awake_count = kept;
    }
}

/* ---- what ranks tell each other ---- */

static size_t listener_of(const struct wave_chase *chase, int agent)
{
    size_t low = 0, high = chase->listener_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (chase->listeners[middle].agent <= (size_t)agent)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t wave_chase_watch_bytes(const struct wave_chase *chase)
{
    return wave_count(chase) * sizeof *chase->watches;
}

void wave_chase_save_watches(const struct wave_chase *chase, int agent,
                             void *memory)
{
    size_t listener = listener_of(chase, agent);
    for (size_t wave = 0; wave < wave_count(chase); wave++)
        memcpy((char *)memory + wave * sizeof *chase->watches,
               &watches_of(chase, wave)[listener], sizeof *chase->watches);
}

void wave_chase_load_watches(struct wave_chase *chase, int agent,
                             const void *memory)
{
    size_t listener = listener_of(chase, agent);
    for (size_t wave = 0; wave < wave_count(chase); wave++)
        memcpy(&watches_of(chase, wave)[listener],
               (const char *)memory + wave * sizeof *chase->watches,
               sizeof *chase->watches);
}

void wave_chase_hear_of(struct wave_chase *chase,
                        const struct agent_arrival *arrival)
{
    size_t listener = listener_of(chase, arrival->agent);
    size_t wave = (size_t)arrival->wave;
    int64_t emitted = wave_emitted(chase->view.waves[wave]);
    if (arrival->lost)
        return;
    watches_of(chase, wave)[listener].reacted = true;
    if (emitted > chase->listeners[listener].newest)
        chase->listeners[listener].newest = emitted;
}

static int by_wave_and_agent(const void *a, const void *b, void *context)
{
    const struct agent_arrival *one = a, *other = b;
    const struct wave_chase *chase = context;
    int64_t first = wave_emitted(chase->view.waves[one->wave]);
    int64_t second = wave_emitted(chase->view.waves[other->wave]);
    if (first != second)
        return first < second ? -1 : 1;
    if (one->wave != other->wave)
        return one->wave < other->wave ? -1 : 1;
    return (one->agent > other->agent) - (one->agent < other->agent);
}

void wave_chase_order(const struct wave_chase *chase,
                      struct agent_arrivals *arrivals)
{
    qsort_r(arrivals->items, arrivals->count, sizeof *arrivals->items,
            by_wave_and_agent, (void *)(uintptr_t)chase);
}

/* Member by member: the bytes between them are anybody's. */
static void watch_state(struct arrival_watch *watch, struct state *state)
{
    struct arrival *arrival = &watch->flux_arrival;
    state_visit(state, &watch->reacted, sizeof watch->reacted);
    state_visit(state, &watch->lost, sizeof watch->lost);
    state_visit(state, &watch->earlier, sizeof watch->earlier);
    state_visit(state, &watch->flux_from, sizeof watch->flux_from);
    state_visit(state, &watch->flux_unit, sizeof watch->flux_unit);
    state_visit(state, watch->flux, sizeof watch->flux);
    state_visit(state, &arrival->age, sizeof arrival->age);
    state_visit(state, &arrival->amplitude, sizeof arrival->amplitude);
    state_visit(state, arrival->gradient, sizeof arrival->gradient);
    state_visit(state, arrival->heading, sizeof arrival->heading);
}

void wave_chase_state(struct wave_chase *chase, struct state *state)
{
    if (!chase->listener_count)
        return;
    for (size_t i = 0; i < chase->listener_count; i++)
        state_visit(state, &chase->listeners[i].newest,
                    sizeof chase->listeners[i].newest);
    for (size_t wave = 0; wave < wave_count(chase); wave++) {
        for (size_t i = 0; i < chase->listener_count; i++)
            watch_state(&watches_of(chase, wave)[i], state);
        hearing_state(&chase->hearings[wave], state);
        if (state->mode == STATE_LOAD)
            list_waiting(chase, wave);
    }
}
