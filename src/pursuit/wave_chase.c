/* SPDX-License-Identifier: MIT */
#include "pursuit/wave_chase.h"

#include "base/memory.h"
#include "wave/arrival_field.h"
#include "wave/arrival_watch.h"
#include "wave/laplace.h"
#include "wave/light_cone.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What the agents need of a wave beside its amplitudes. */
struct hearing {
    struct light_cone cone;     /* where an arrival may be lost */
    struct arrival_field field; /* for the heading arrival-time */
    void *generation;           /* packed, for the field */
    struct laplace laplace;     /* for the detector laplace */
};

struct wave_chase {
    struct wave_chase_view view;
    struct arrival_rules rules;
    bool has_cone, has_field, has_laplace;
    size_t *listeners; /* the agents that are steered, (listener_count) */
    size_t listener_count;
    struct arrival_watch *watches; /* (listener_count, waves) */
    int64_t *newest; /* (listener_count): emission last reacted to, or −1 */
    struct hearing *hearings; /* (waves) */
    int *order;               /* (waves): the oldest emission first */
};

static size_t wave_count(const struct wave_chase *chase)
{
    return (size_t)chase->view.wave->count;
}

static struct arrival_rules rules_of(const struct wave_chase_view *view)
{
    bool single = view->wave->precision == PRECISION_SINGLE;
    return (struct arrival_rules){
        .settings = view->arrival,
        .amplitude = view->wave->amplitude,
        .smallest = single ? FLT_MIN : DBL_MIN,
        .lifetime = view->wave->lifetime,
    };
}

/* Only a detector that may ask for less than the precision holds can lose an
 * arrival; the others need no light cone. */
static bool may_lose(const struct arrival_rules *rules)
{
    const struct arrival_settings *settings = rules->settings;
    return settings->detector->level &&
           settings->detector->level(settings, rules->amplitude,
                                     rules->lifetime) <= rules->smallest;
}

static void find_listeners(struct wave_chase *chase)
{
    const struct agents *agents = chase->view.agents;
    for (size_t i = 0; i < agents->count; i++)
        if (agents->settings[i]->method == METHOD_WAVE)
            chase->listeners[chase->listener_count++] = i;
}

static size_t number_bytes(const struct wave_chase_view *view)
{
    return view->wave->precision == PRECISION_SINGLE ? sizeof(float)
                                                     : sizeof(double);
}

static enum status field_init(const struct wave_chase *chase,
                              struct hearing *hearing, struct error *error)
{
    const struct wave_chase_view *view = &chase->view;
    struct arrival_field_options options = {
        .settings = view->arrival,
        .amplitude = view->wave->amplitude,
        .lifetime = view->wave->lifetime,
        .width = number_bytes(view),
        .times = true,
    };
    hearing->generation =
        memory_new(grid_cells(&view->terrain->grid), options.width);
    if (!hearing->generation)
        return error_memory(error);
    return arrival_field_init(&hearing->field, &view->terrain->grid, &options,
                              error);
}

static enum status hearing_init(const struct wave_chase *chase,
                                struct hearing *hearing, struct error *error)
{
    const struct wave_chase_view *view = &chase->view;
    struct laplace_options options = {
        .p = view->arrival->p,
        .eta = view->arrival->eta,
        .amplitude = view->wave->amplitude,
        .lifetime = view->wave->lifetime,
        .width = number_bytes(view),
    };
    enum status status = STATUS_OK;
    if (chase->has_cone)
        status = light_cone_init(&hearing->cone, view->terrain, error);
    if (!status && chase->has_laplace)
        status =
            laplace_init(&hearing->laplace, view->terrain, &options, error);
    if (!status && chase->has_field)
        status = field_init(chase, hearing, error);
    return status;
}

static enum status fill(struct wave_chase *chase, struct error *error)
{
    size_t agents = chase->view.agents->count, waves = wave_count(chase);
    chase->rules = rules_of(&chase->view);
    chase->has_cone = may_lose(&chase->rules);
    chase->has_field = chase->view.arrival->heading == HEADING_ARRIVAL_TIME &&
                       chase->view.arrival->detector->holds;
    chase->has_laplace = chase->view.arrival->detector == &detector_laplace;
    chase->listeners = memory_new(agents, sizeof *chase->listeners);
    chase->newest = memory_new(agents, sizeof *chase->newest);
    chase->hearings = memory_new(waves, sizeof *chase->hearings);
    chase->order = memory_new(waves, sizeof *chase->order);
    size_t watches;
    if (!size_multiply(agents, waves, &watches))
        return error_memory(error);
    chase->watches = memory_new(watches, sizeof *chase->watches);
    if (!chase->listeners || !chase->newest || !chase->hearings ||
        !chase->order || !chase->watches)
        return error_memory(error);
    memset(chase->newest, 0xff, agents * sizeof *chase->newest);
    find_listeners(chase);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < waves && !status && chase->listener_count; i++)
        status = hearing_init(chase, &chase->hearings[i], error);
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
    for (size_t i = 0; chase->hearings && i < wave_count(chase); i++) {
        light_cone_release(&chase->hearings[i].cone);
        arrival_field_release(&chase->hearings[i].field);
        laplace_release(&chase->hearings[i].laplace);
        memory_release(chase->hearings[i].generation);
    }
    memory_release(chase->hearings);
    memory_release(chase->listeners);
    memory_release(chase->newest);
    memory_release(chase->order);
    memory_release(chase->watches);
    memory_release(chase);
}

/* The newest generation goes into what is kept beside the wave. */
static void take_generation(struct wave_chase *chase, size_t wave, int64_t age)
{
    struct hearing *hearing = &chase->hearings[wave];
    struct team *team = chase->view.team;
    if (chase->has_laplace) {
        struct amplitudes newest = wave_newest(chase->view.waves[wave]);
        laplace_take(&hearing->laplace, &newest, age, team);
    }
    if (chase->has_field) {
        wave_copy(chase->view.waves[wave], hearing->generation, team);
        arrival_field_take(&hearing->field, hearing->generation, age, team);
    }
}

void wave_chase_emitted(struct wave_chase *chase, int wave, size_t cell)
{
    size_t index = (size_t)wave;
    for (size_t i = 0; i < chase->listener_count; i++)
        arrival_watch_reset(&chase->watches[i * wave_count(chase) + index]);
    if (!chase->listener_count)
        return;
    if (chase->has_cone)
        light_cone_begin(&chase->hearings[index].cone, cell);
    if (chase->has_field)
        arrival_field_begin(&chase->hearings[index].field, cell);
    if (chase->has_laplace)
        laplace_begin(&chase->hearings[index].laplace, cell);
    take_generation(chase, index, 0);
}

void wave_chase_update(struct wave_chase *chase, const struct box *box)
{
    for (size_t i = 0; i < wave_count(chase) && chase->listener_count; i++) {
        if (wave_emitted(chase->view.waves[i]) < 0)
            continue;
        if (chase->has_cone)
            light_cone_update(&chase->hearings[i].cone, box);
        if (chase->has_laplace)
            laplace_update(&chase->hearings[i].laplace, box);
    }
}

/* Where the agent listens: at its place, or with the restart on arrival at the
 * cell nearest to it, as Kumagai does. */
static void ear(const struct wave_chase *chase, size_t agent,
                double at[GRID_AXES])
{
    const struct wave_chase_view *view = &chase->view;
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = view->agents->at[axis][agent];
    if (view->wave->restart != RESTART_ON_ARRIVAL)
        return;
    int cell[GRID_AXES];
    grid_cell(&view->terrain->grid, grid_nearest(&view->terrain->grid, at),
              cell);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = cell[axis];
}

/* What the agent sees of the wave. The gradient costs more than the amplitude,
 * so it is left 0 where the wave is too quiet for the detector. */
static void look_at(const struct wave_chase *chase, size_t agent, size_t wave,
                    int64_t age, double quiet_below, struct arrival_look *look)
{
    const struct wave_chase_view *view = &chase->view;
    const struct hearing *hearing = &chase->hearings[wave];
    double at[GRID_AXES];
    ear(chase, agent, at);
    *look = (struct arrival_look){ .age = age, .reached = -1 };
    if (chase->has_laplace) {
        struct amplitudes newest = wave_newest(view->waves[wave]);
        laplace_look(&hearing->laplace, &newest, at, look);
        return;
    }
    wave_sample_amplitude(view->waves[wave], at, &look->now, &look->before);
    if (fabs(look->now) >= quiet_below)
        wave_sample_gradient(view->waves[wave], at, look->gradient);
    if (chase->has_cone)
        look->reached =
            hearing->cone.reached[grid_nearest(&view->terrain->grid, at)];
    if (chase->has_field)
        arrival_descent(&view->terrain->grid, hearing->field.time, at,
                        (double)age, look->descent);
}

static void turn(struct wave_chase *chase, size_t listener,
                 const struct agent_arrival *arrival, int64_t emitted)
{
    struct agents *agents = chase->view.agents;
    size_t agent = chase->listeners[listener];
    bool older = emitted < chase->newest[listener];
    if (arrival->lost || (older && chase->view.arrival->ignore_older))
        return;
    if (!older)
        chase->newest[listener] = emitted;
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += arrival->heading[axis] * arrival->heading[axis];
    if (square == 0) /* the rule keeps the old heading */
        return;
    for (int axis = 0; axis < GRID_AXES; axis++)
        agents->heading[axis][agent] = arrival->heading[axis];
    if (agents->state[agent] == AGENT_WAITING)
        agents->state[agent] = AGENT_MOVING;
}

static void listen(struct wave_chase *chase, size_t listener, size_t wave,
                   int64_t step, double quiet_below,
                   struct agent_arrivals *arrivals)
{
    size_t agent = chase->listeners[listener];
    struct arrival_watch *watch =
        &chase->watches[listener * wave_count(chase) + wave];
    int64_t emitted = wave_emitted(chase->view.waves[wave]);
    if (watch->reacted || chase->view.agents->state[agent] == AGENT_CAPTURED)
        return;
    struct arrival_look look;
    look_at(chase, agent, wave, step - emitted, quiet_below, &look);
    struct arrival news;
    enum arrival_news kind =
        arrival_watch_feed(watch, &chase->rules, &look, &news);
    if (kind == ARRIVAL_NONE)
        return;
    struct agent_arrival *arrival = &arrivals->items[arrivals->count++];
    *arrival = (struct agent_arrival){ .agent = (int)agent,
                                       .wave = (int)wave,
                                       .step = step,
                                       .amplitude = news.amplitude,
                                       .lost = kind == ARRIVAL_LOST };
    memcpy(arrival->gradient, news.gradient, sizeof arrival->gradient);
    memcpy(arrival->heading, news.heading, sizeof arrival->heading);
    turn(chase, listener, arrival, emitted);
}

/* Amplitudes below this cannot be an arrival at this age; 0: any may be. The
 * flux goes on summing after its arrival, whatever the amplitude. */
static double quiet_below(const struct wave_chase *chase, int64_t age)
{
    const struct arrival_settings *settings = chase->view.arrival;
    if (!settings->detector->level || settings->heading == HEADING_FLUX)
        return 0;
    return settings->detector->level(settings, chase->rules.amplitude, age);
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
        int64_t emitted = wave_emitted(chase->view.waves[wave]);
        if (emitted < 0)
            continue;
        if (chase->has_cone)
            light_cone_advance(&chase->hearings[wave].cone);
        take_generation(chase, wave, step - emitted);
        for (size_t listener = 0; listener < chase->listener_count; listener++)
            listen(chase, listener, wave, step,
                   quiet_below(chase, step - emitted), arrivals);
    }
}

static void hearing_state(struct wave_chase *chase, struct hearing *hearing,
                          struct state *state)
{
    size_t cells = grid_cells(&chase->view.terrain->grid);
    if (chase->has_cone) {
        struct light_cone *cone = &hearing->cone;
        state_visit(state, &cone->age, sizeof cone->age);
        state_visit(state, &cone->count, sizeof cone->count);
        state_visit(state, cone->reached, cells * sizeof *cone->reached);
        state_visit(state, cone->front, cells * sizeof *cone->front);
        state_visit(state, cone->queued, cells * sizeof *cone->queued);
    }
    if (chase->has_field)
        arrival_field_state(&hearing->field, state);
    if (chase->has_laplace)
        laplace_state(&hearing->laplace, state);
}

void wave_chase_state(struct wave_chase *chase, struct state *state)
{
    size_t waves = wave_count(chase), count = chase->listener_count;
    state_visit(state, chase->watches, count * waves * sizeof *chase->watches);
    state_visit(state, chase->newest, count * sizeof *chase->newest);
    for (size_t i = 0; i < waves && count; i++)
        hearing_state(chase, &chase->hearings[i], state);
}
