/* SPDX-License-Identifier: MIT */
#include "pursuit/pincer_chase.h"

#include "base/memory.h"
#include "pursuit/route.h"
#include "pursuit/wave_pincer.h"
#include "search/pincer.h"

struct pincer_chase {
    struct chase_view view;
    enum agent_method method;
    struct passages *passages;
    struct pincer *pincer; /* one of these two, by the method */
    struct wave_pincer *wave_pincer;
    size_t count;         /* of pursuers */
    size_t *pursuers;     /* (count) agents */
    struct route *routes; /* (count) */
    /* The agents that plan now, as passed to the pincer. */
    size_t *planning; /* (count) indices in `pursuers` */
    size_t *cells;    /* (count) the start cell of each */
    int64_t begun;    /* step of the last round of plans, or −1 */
    struct random ties;
};

static enum status planner_new(struct pincer_chase *chase, struct error *error)
{
    const struct chase_view *view = &chase->view;
    int most = (int)chase->count;
    if (chase->method == METHOD_PINCER)
        return pincer_new(chase->passages, most, &chase->pincer, error);
    struct wave_pincer_view waves = { .terrain = view->terrain,
                                      .passages = chase->passages,
                                      .wave = view->wave,
                                      .arrival = view->arrival,
                                      .slow = view->settings->slow };
    return wave_pincer_new(&waves, most, &chase->wave_pincer, error);
}

static enum status fill(struct pincer_chase *chase, struct error *error)
{
    const struct chase_view *view = &chase->view;
    const struct agents *agents = view->agents;
    const struct pursuit_settings *settings = view->settings;
    for (size_t i = 0; i < agents->count; i++)
        chase->count += agents->settings[i]->method == chase->method;
    if (!chase->count)
        return STATUS_OK;
    chase->pursuers = memory_new(chase->count, sizeof *chase->pursuers);
    chase->routes = memory_new(chase->count, sizeof *chase->routes);
    chase->planning = memory_new(chase->count, sizeof *chase->planning);
    chase->cells = memory_new(chase->count, sizeof *chase->cells);
    if (!chase->pursuers || !chase->routes || !chase->planning || !chase->cells)
        return error_memory(error);
    enum status status =
        passages_new_mirrored(view->terrain, settings->moves, settings->measure,
                              view->mirror, &chase->passages, error);
    if (!status)
        status = planner_new(chase, error);
    size_t made = 0;
    for (size_t i = 0; i < agents->count && !status; i++) {
        if (agents->settings[i]->method != chase->method)
            continue;
        double at[GRID_AXES];
        agents_place(agents, i, at);
        chase->pursuers[made] = i;
        status =
            route_init(&chase->routes[made++], view->terrain, at,
                       agents->settings[i]->speed, settings->replan, error);
    }
    return status;
}

enum status pincer_chase_new(const struct chase_view *view,
                             enum agent_method method,
                             struct pincer_chase **chase, struct error *error)
{
    struct pincer_chase *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *made = (struct pincer_chase){ .view = *view, .method = method };
    made->begun = -1;
    random_stream(&made->ties, view->agents->seed, "ties",
                  agent_method_names[method]);
    enum status status = fill(made, error);
    if (status)
        pincer_chase_release(made);
    else
        *chase = made;
    return status;
}

void pincer_chase_release(struct pincer_chase *chase)
{
    if (!chase)
        return;
    for (size_t i = 0; chase->routes && i < chase->count; i++)
        route_release(&chase->routes[i]);
    pincer_release(chase->pincer);
    wave_pincer_release(chase->wave_pincer);
    passages_release(chase->passages);
    memory_release(chase->pursuers);
    memory_release(chase->routes);
    memory_release(chase->planning);
    memory_release(chase->cells);
    memory_release(chase);
}

enum status pincer_chase_update(struct pincer_chase *chase,
                                const struct box *box, struct error *error)
{
    if (!chase->count)
        return STATUS_OK;
    if (chase->wave_pincer)
        wave_pincer_update(chase->wave_pincer, box);
    return passages_update(chase->passages, chase->view.terrain, box, error);
}

static void planner_begin(struct pincer_chase *chase, int count, size_t target)
{
    if (chase->wave_pincer)
        wave_pincer_begin(chase->wave_pincer, chase->cells, count, target);
    else
        pincer_begin(chase->pincer, chase->cells, count, target);
}

/* Pursuers that have captured the target do not plan and colour no cells. */
static void begin(struct pincer_chase *chase, int64_t step)
{
    const struct agents *agents = chase->view.agents;
    int planning = 0;
    for (size_t i = 0; i < chase->count; i++) {
        size_t agent = chase->pursuers[i];
        if (agents->state[agent] == AGENT_CAPTURED)
            continue;
        double at[GRID_AXES];
        agents_place(agents, agent, at);
        chase->planning[planning] = i;
        chase->cells[planning++] =
            route_cell(&chase->routes[i], chase->view.terrain, at);
    }
    planner_begin(chase, planning, (size_t)chase->view.target->cell);
    chase->begun = step;
}

bool pincer_chase_plan(struct pincer_chase *chase, int64_t step,
                       struct agent_plan *plan)
{
    const struct pursuit_settings *settings = chase->view.settings;
    if (!chase->count || step % settings->replan != 0)
        return false;
    if (chase->begun != step)
        begin(chase, step);
    struct pincer_plan made;
    struct random *ties = settings->ties == TIES_RANDOM ? &chase->ties : NULL;
    if (chase->wave_pincer ? !wave_pincer_next(chase->wave_pincer, ties, &made)
                           : !pincer_next(chase->pincer, ties, &made))
        return false;
    size_t pursuer = chase->planning[made.pursuer];
    route_take(&chase->routes[pursuer], made.result.path,
               made.result.path_count, step);
    *plan = (struct agent_plan){
        .agent = (int)chase->pursuers[pursuer],
        .step = step,
        .expansions = (int64_t)made.result.expansions,
        .nanoseconds = made.result.nanoseconds,
        .path = made.result.path,
        .path_cells = made.result.path_count,
    };
    return true;
}

void pincer_chase_move(struct pincer_chase *chase)
{
    for (size_t i = 0; i < chase->count; i++)
        if (chase->view.agents->state[chase->pursuers[i]] != AGENT_CAPTURED)
            route_follow(&chase->routes[i], chase->view.terrain,
                         chase->view.agents, chase->pursuers[i],
                         chase->view.target);
}

void pincer_chase_state(struct pincer_chase *chase, struct state *state)
{
    if (!chase->count)
        return;
    state_visit_steps(state, &chase->begun, 1);
    state_visit_random(state, &chase->ties);
    if (state->mode == STATE_LOAD) /* no plan is left to make */
        planner_begin(chase, 0, 0);
    for (size_t i = 0; i < chase->count; i++)
        route_state(&chase->routes[i], &chase->view.terrain->grid, state);
}
