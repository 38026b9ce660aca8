/* SPDX-License-Identifier: MIT */
#include "pursuit/wave_chase.h"

#include "base/memory.h"
#include "base/system.h"
#include "pursuit/oldest_first.h"
#include "pursuit/reception.h"
#include "pursuit/trail_walk.h"
#include "pursuit/waiting.h"

#include <stdlib.h>
#include <string.h>

struct wave_chase {
    struct wave_chase_view view;
    struct reception_rules rules;
    /* number of agents of METHOD_WAVE; if 0, nothing below exists */
    size_t listeners;
    /* (agents): the last emission that it reacted to, or −1 */
    int64_t *newest;
    /* (agents): those for which this generation may change the watch */
    int32_t *candidates;
    /* (agents): results of reception_weigh or, if it gives none (not
     * `weighed`), of reception_place, if `placed`: called in this step */
    struct reception_nodes *nodes;
    ptrdiff_t *node;
    bool weighed, placed;
    struct arrival_watch *watches; /* (waves, agents) */
    /* (waves): the agents that may still react to it */
    struct waiting *waiting;
    struct reception *receptions; /* (waves) */
    struct trail_walk walk;       /* for the agents that steer at every step */
    struct needs needs;           /* of wave_chase_needs */
    int64_t *emitted;             /* (waves) */
    /* (waves): in order of emission, the oldest first */
    int *order;
};

static size_t wave_count(const struct wave_chase *chase)
{
    return (size_t)chase->view.wave->count;
}

static size_t agent_count(const struct wave_chase *chase)
{
    return chase->view.agents->count;
}

static struct arrival_watch *watches_of(const struct wave_chase *chase,
                                        size_t wave)
{
    return &chase->watches[wave * agent_count(chase)];
}

static bool listens(const struct wave_chase *chase, size_t agent)
{
    return chase->view.agents->settings[agent]->method == METHOD_WAVE;
}

static double potential(const void *context, size_t cell, bool *settled)
{
    const struct reception *reception = context;
    return detection_potential(reception->detection, cell, settled);
}

static bool sums(const void *context, struct detection_sums *of)
{
    const struct reception *reception = context;
    const struct detector *detector = reception->detection->detector;
    return detector->sums && detector->sums(reception->detection, of);
}

static enum status arrays_new(struct wave_chase *chase, struct error *error)
{
    size_t waves = wave_count(chase), agents = agent_count(chase), watches;
    if (!size_multiply(agents, waves, &watches))
        return error_memory(error);
    chase->newest = memory_new(agents, sizeof *chase->newest);
    chase->candidates = memory_new(agents, sizeof *chase->candidates);
    chase->node = memory_new(agents, sizeof *chase->node);
    chase->nodes = memory_new(agents, sizeof *chase->nodes);
    chase->watches = memory_new(watches, sizeof *chase->watches);
    chase->waiting = memory_new(waves, sizeof *chase->waiting);
    chase->receptions = memory_new(waves, sizeof *chase->receptions);
    chase->emitted = memory_new(waves, sizeof *chase->emitted);
    if (needs_init(&chase->needs, chase->view.wave->count, error))
        return error_memory(error);
    chase->order = memory_new(waves, sizeof *chase->order);
    return chase->newest && chase->candidates && chase->node && chase->nodes &&
                   chase->watches && chase->waiting && chase->receptions &&
                   chase->emitted && chase->order
               ? STATUS_OK
               : error_memory(error);
}

static enum status make_members(struct wave_chase *chase, struct error *error)
{
    const struct wave_chase_view *view = &chase->view;
    chase->rules = reception_rules_of(view->terrain, view->wave, view->arrival,
                                      view->team);
    if (view->halo) {
        chase->rules.share = *view->share;
        chase->rules.halo = view->halo;
    }
    for (size_t i = 0; i < agent_count(chase); i++)
        chase->listeners += listens(chase, i);
    if (!chase->listeners)
        return STATUS_OK;
    const struct trail_walk_view walkers = {
        .agents = view->agents,
        .method = METHOD_WAVE,
        .terrain = view->terrain,
        .share = view->halo ? view->share : NULL,
        .sight = view->sight,
        .waves = view->wave->count,
    };
    enum status status = trail_walk_init(&chase->walk, &walkers, error);
    chase->rules.potential = chase->walk.trails;
    if (!status)
        status = arrays_new(chase, error);
    chase->walk.waiting = chase->waiting;
    for (size_t i = 0; i < agent_count(chase) && !status; i++)
        chase->newest[i] = -1;
    for (size_t i = 0; i < wave_count(chase) && !status; i++) {
        status = waiting_init(&chase->waiting[i], agent_count(chase), error);
        if (!status)
            status = reception_init(&chase->receptions[i], &chase->rules,
                                    view->waves[i], error);
        if (!status && chase->walk.trails)
            status = trail_walk_name(
                &chase->walk, (int)i, potential, sums, &chase->receptions[i],
                &chase->receptions[i].detection->fall, error);
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
    enum status status = make_members(made, error);
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
    for (size_t i = 0; chase->receptions && i < wave_count(chase); i++)
        reception_release(&chase->receptions[i]);
    trail_walk_release(&chase->walk);
    needs_release(&chase->needs);
    memory_release(chase->waiting);
    memory_release(chase->receptions);
    memory_release(chase->newest);
    memory_release(chase->candidates);
    memory_release(chase->node);
    memory_release(chase->nodes);
    memory_release(chase->watches);
    memory_release(chase->emitted);
    memory_release(chase->order);
    memory_release(chase);
}

/* The agent's position in the coordinates of the terrain. */
static void position(const struct wave_chase *chase, size_t agent,
                     double at[GRID_AXES])
{
    double place[GRID_AXES];
    agents_place(chase->view.agents, agent, place);
    share_local(&chase->rules.share, place, at);
}

/* Lists the agents that have not reacted to the wave. */
static void list_waiting(struct wave_chase *chase, size_t wave)
{
    const struct arrival_watch *watches = watches_of(chase, wave);
    const struct reception *reception = &chase->receptions[wave];
    struct waiting *waiting = &chase->waiting[wave];
    waiting_clear(waiting);
    for (size_t i = 0; i < agent_count(chase); i++) {
        double at[GRID_AXES];
        if (!listens(chase, i) || watches[i].reacted)
            continue;
        position(chase, i, at);
        waiting_add(waiting, i,
                    reception_begins(reception, at,
                                     chase->view.agents->settings[i]->speed));
    }
    waiting_order(waiting);
}

void wave_chase_emitted(struct wave_chase *chase, int wave, size_t cell)
{
    if (!chase->listeners)
        return;
    struct arrival_watch *watches = watches_of(chase, (size_t)wave);
    memset(watches, 0, agent_count(chase) * sizeof *watches);
    trail_walk_keep(&chase->walk, wave);
    reception_begin(&chase->receptions[wave], cell);
    trail_walk_emitted(&chase->walk, wave, cell,
                       wave_emitted(chase->view.waves[wave]));
    list_waiting(chase, (size_t)wave);
}

void wave_chase_catch_up(struct wave_chase *chase)
{
    for (size_t i = 0; i < wave_count(chase) && chase->listeners; i++)
        reception_catch_up(&chase->receptions[i]);
}

void wave_chase_update(struct wave_chase *chase, const struct box *box)
{
    for (size_t i = 0; i < wave_count(chase) && chase->listeners; i++)
        reception_update(&chase->receptions[i], box);
    trail_walk_update(&chase->walk, box);
}

void wave_chase_look_anew(struct wave_chase *chase)
{
    trail_walk_look_anew(&chase->walk);
}

static void turn(struct agents *agents, const struct agent_arrival *arrival)
{
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += arrival->heading[axis] * arrival->heading[axis];
    if (square == 0) /* no new heading: the old one is kept */
        return;
    for (int axis = 0; axis < GRID_AXES; axis++)
        agents->heading[axis][arrival->agent] = arrival->heading[axis];
    agents->state[arrival->agent] = AGENT_MOVING;
}

/* Can this wave no longer change anything for the agent? `emitted` is the step
 * of its emission. Marks a watch that ignores it because it is older. */
static bool is_over(const struct wave_chase *chase, size_t agent,
                    struct arrival_watch *watch, int64_t emitted)
{
    if (emitted < chase->newest[agent] && chase->view.arrival->ignore_older &&
        chase->view.agents->state[agent] != AGENT_CAPTURED)
        watch->reacted = true;
    /* it may have reacted on the rank that had the agent then */
    return watch->reacted || chase->view.agents->state[agent] == AGENT_CAPTURED;
}

/* Tests the wave for one agent. Returns whether it may still react later. */
static bool listen(struct wave_chase *chase, size_t agent, size_t wave,
                   int64_t step, struct agent_arrivals *arrivals)
{
    const struct reception *reception = &chase->receptions[wave];
    struct arrival_watch *watch = &watches_of(chase, wave)[agent];
    int64_t emitted = step - reception->age, *newest = &chase->newest[agent];
    if (is_over(chase, agent, watch, emitted))
        return false;
    double at[GRID_AXES];
    struct arrival_look look;
    struct arrival news;
    position(chase, agent, at);
    reception_look(reception, at, watch, &look);
    enum arrival_news kind =
        arrival_watch_feed(watch, &chase->rules.arrival, &look, &news);
    if (kind == ARRIVAL_NONE)
        return true;
    struct agent_arrival *arrival = &arrivals->items[arrivals->count++];
    *arrival = (struct agent_arrival){ .agent = (int)agent,
                                       .wave = (int)wave,
                                       .step = step,
                                       .amplitude = news.amplitude,
                                       .lost = kind == ARRIVAL_LOST };
    memcpy(arrival->gradient, news.gradient, sizeof arrival->gradient);
    memcpy(arrival->heading, news.heading, sizeof arrival->heading);
    if (!arrival->lost) {
        if (!trail_walk_has(&chase->walk, agent))
            turn(chase->view.agents, arrival);
        if (emitted > *newest)
            *newest = emitted;
    }
    return !watch->reacted;
}

/* If ranks share the map: this rank's agents, and those that have reacted. */
static size_t find_own(struct wave_chase *chase, size_t wave,
                       const struct waiting *waiting)
{
    const struct arrival_watch *watches = watches_of(chase, wave);
    size_t count = 0;
    for (size_t i = 0; i < waiting->awake_count; i++) {
        int32_t agent = waiting->awake[i];
        if (watches[agent].reacted ||
            agents_are_in(chase->view.agents, (size_t)agent, chase->view.share))
            chase->candidates[count++] = agent;
    }
    return count;
}

/* Those of the awake agents for which this generation may change the watch. */
static size_t find_candidates(struct wave_chase *chase, size_t wave,
                              const struct waiting *waiting)
{
    const struct reception *reception = &chase->receptions[wave];
    double *const *at = chase->view.agents->at;
    if (chase->view.halo)
        return find_own(chase, wave, waiting);
    if (!chase->placed) {
        chase->weighed =
            reception_weigh(reception, at, agent_count(chase), chase->nodes);
        if (!chase->weighed)
            reception_place(reception, at, agent_count(chase), chase->node);
        chase->placed = true; /* for all waves: no agent moves between */
    }
    if (chase->weighed)
        return reception_find_by_terms(reception, chase->nodes, waiting->awake,
                                       waiting->awake_count, chase->candidates);
    return reception_find_candidates(reception, chase->node, at,
                                     watches_of(chase, wave), waiting->awake,
                                     waiting->awake_count, chase->candidates);
}

/* Removes the agents for which the wave is over. The detector's own test, if it
 * has one, would keep them awake. They have not reacted, so their watches,
 * which are far from each other in memory, need not be read. */
static void remove_over(struct wave_chase *chase, size_t wave, int64_t step,
                        struct waiting *waiting)
{
    struct arrival_watch *watches = watches_of(chase, wave);
    const int64_t emitted = step - chase->receptions[wave].age;
    const bool ignores = chase->view.arrival->ignore_older;
    const int8_t *state = chase->view.agents->state;
    size_t over = 0;
    for (size_t i = 0; i < waiting->awake_count; i++) {
        const int32_t agent = waiting->awake[i];
        if (((ignores && emitted < chase->newest[agent]) ||
             state[agent] == AGENT_CAPTURED) &&
            is_over(chase, (size_t)agent, &watches[agent], emitted))
            chase->candidates[over++] = agent;
    }
    waiting_remove(waiting, chase->candidates, over);
}

/* Tests the wave for all agents that are awake; those that have reacted leave
 * the list. */
static void listen_all(struct wave_chase *chase, size_t wave, int64_t step,
                       struct agent_arrivals *arrivals)
{
    struct waiting *waiting = &chase->waiting[wave];
    waiting_advance(waiting, chase->receptions[wave].age);
    if (!chase->view.halo &&
        chase->receptions[wave].detection->detector->may_hold)
        remove_over(chase, wave, step, waiting);
    if (!waiting->awake_count)
        return;
    /* A generation that no agent reads need not be computed. */
    if (!chase->receptions[wave].detection->detector->own_wave)
        reception_open(&chase->receptions[wave]);
    size_t done = 0, candidates = find_candidates(chase, wave, waiting);
    for (size_t i = 0; i < candidates; i++)
        if (!listen(chase, (size_t)chase->candidates[i], wave, step, arrivals))
            chase->candidates[done++] = chase->candidates[i];
    waiting_remove(waiting, chase->candidates, done);
}

void wave_chase_listen(struct wave_chase *chase, int64_t step,
                       struct agent_arrivals *arrivals)
{
    if (!chase->listeners)
        return;
    int waves = chase->view.wave->count;
    chase->placed = false;
    for (int i = 0; i < waves; i++)
        chase->emitted[i] = wave_emitted(chase->view.waves[i]);
    oldest_first(chase->emitted, waves, chase->order);
    for (int i = 0; i < waves; i++) {
        size_t wave = (size_t)chase->order[i];
        if (chase->emitted[wave] < 0)
            continue;
        reception_advance(&chase->receptions[wave], step);
        listen_all(chase, wave, step, arrivals);
    }
}

/* The emission that an agent follows, or reacted to last. */
static int64_t received(const struct wave_chase *chase, size_t agent)
{
    return trail_walk_has(&chase->walk, agent)
               ? chase->walk.holds[agent].emitted
               : chase->newest[agent];
}

const struct needs *wave_chase_needs(struct wave_chase *chase,
                                     const uint8_t *cut_off)
{
    struct needs *needs = &chase->needs;
    const struct agents *agents = chase->view.agents;
    if (!chase->listeners)
        return NULL;
    for (int i = 0; i < needs->waves; i++) {
        needs->emitted[i] = wave_emitted(chase->view.waves[i]);
        needs->over[i] = detection_is_spent(chase->receptions[i].detection);
        needs->stays[i] = false;
    }
    for (size_t i = 0; i < agent_count(chase); i++)
        if (listens(chase, i) && agents->state[i] != AGENT_CAPTURED &&
            !cut_off[i] &&
            (!chase->view.halo || agents_are_in(agents, i, chase->view.share)))
            needs_add(needs, received(chase, i));
    for (int i = 0; i < needs->waves && chase->view.halo; i++)
        needs->stays[i] = halo_any(chase->view.halo, needs->stays[i]);
    needs_limit(needs);
    for (int i = 0; i < needs->waves && chase->walk.trails; i++)
        needs->stays[i] |= halo_any(chase->view.halo,
                                    trail_walk_leads(&chase->walk, i, cut_off));
    return needs;
}

void wave_chase_walk(struct wave_chase *chase)
{
    trail_walk_move(&chase->walk);
}

/* ---- messages between ranks ---- */

size_t wave_chase_watch_bytes(const struct wave_chase *chase)
{
    return wave_count(chase) * sizeof *chase->watches +
           (chase->walk.holds ? sizeof *chase->walk.holds : 0);
}

void wave_chase_save_watches(const struct wave_chase *chase, int agent,
                             void *memory)
{
    char *end = memory;
    for (size_t wave = 0; wave < wave_count(chase); wave++) {
        memcpy(end, &watches_of(chase, wave)[agent], sizeof *chase->watches);
        end += sizeof *chase->watches;
    }
    if (chase->walk.holds)
        memcpy(end, &chase->walk.holds[agent], sizeof *chase->walk.holds);
}

void wave_chase_load_watches(struct wave_chase *chase, int agent,
                             const void *memory)
{
    const char *end = memory;
    for (size_t wave = 0; wave < wave_count(chase); wave++) {
        memcpy(&watches_of(chase, wave)[agent], end, sizeof *chase->watches);
        end += sizeof *chase->watches;
    }
    if (chase->walk.holds)
        memcpy(&chase->walk.holds[agent], end, sizeof *chase->walk.holds);
}

void wave_chase_take_arrival(struct wave_chase *chase,
                             const struct agent_arrival *arrival)
{
    size_t wave = (size_t)arrival->wave;
    int64_t emitted = wave_emitted(chase->view.waves[wave]);
    if (arrival->lost)
        return;
    watches_of(chase, wave)[arrival->agent].reacted = true;
    if (emitted > chase->newest[arrival->agent])
        chase->newest[arrival->agent] = emitted;
}

static int by_wave_and_agent(const void *a, const void *b, void *context)
{
    const struct agent_arrival *one = a, *other = b;
    const struct wave_chase *chase = *(const struct wave_chase **)context;
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
    system_sort(arrivals->items, arrivals->count, sizeof *arrivals->items,
                by_wave_and_agent, &chase);
}

/* Member by member, because the padding between them is undefined. */
static void watch_state(struct arrival_watch *watch, struct state *state)
{
    struct arrival *arrival = &watch->flux_arrival;
    const double unit = 1 + 1e-6; /* with a tolerance for rounding */
    state_visit_bool(state, &watch->reacted);
    state_visit_bool(state, &watch->lost);
    state_visit_whole(state, &watch->flux_from, 1, 0, state->step);
    state_visit(state, &watch->flux_unit, sizeof watch->flux_unit);
    state_visit(state, watch->flux, sizeof watch->flux);
    state_visit_whole(state, &arrival->age, 1, 0, state->step);
    state_visit(state, &arrival->amplitude, sizeof arrival->amplitude);
    state_visit(state, arrival->gradient, sizeof arrival->gradient);
    state_visit_reals(state, arrival->heading, GRID_AXES, -unit, unit);
}

void wave_chase_state(struct wave_chase *chase, struct state *state)
{
    if (!chase->listeners)
        return;
    state_visit_steps(state, chase->newest, agent_count(chase));
    trail_walk_holds_state(&chase->walk, state);
    for (size_t wave = 0; wave < wave_count(chase); wave++) {
        for (size_t i = 0; i < agent_count(chase); i++)
            watch_state(&watches_of(chase, wave)[i], state);
        reception_state(&chase->receptions[wave], state);
        trail_walk_trail_state(&chase->walk, (int)wave, state);
        if (state->mode == STATE_LOAD)
            list_waiting(chase, wave);
    }
}
