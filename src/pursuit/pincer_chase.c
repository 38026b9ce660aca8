/* SPDX-License-Identifier: MIT */
/* Agents that plan together, by searches (search/pincer.h) or by waves
 * (pursuit/wave_pincer.h): every `replan` steps all that still pursue plan in
 * turn, the nearest to the target first. Each plans from the cell that it is
 * entering, and avoids the paths of those before it. Random ties are drawn from
 * a stream of the method. */
#include "base/memory.h"
#include "pursuit/chase.h"
#include "pursuit/route.h"
#include "pursuit/wave_pincer.h"
#include "search/pincer.h"

struct pincer_chase {
    struct chase_view view;
    struct passages *passages;
    struct pincer *pincer; /* one of these two, by the kind */
    struct wave_pincer *wave_pincer;
    size_t *pursuers;     /* (view.count) agents */
    struct route *routes; /* (view.count) */
    /* The agents that plan now, as passed to the pincer. */
    size_t *planning; /* (view.count) indices in `pursuers` */
    size_t *cells;    /* (view.count) the start cell of each */
    int64_t begun;    /* step of the last round of plans, or −1 */
    struct random ties;
};

static enum status planner_new(struct pincer_chase *chase, struct error *error)
{
    const struct chase_view *view = &chase->view;
    int most = (int)chase->view.count;
    if (view->kind == &pincer_chase)
        return pincer_new(chase->passages, most, &chase->pincer, error);
    struct wave_pincer_view waves = { .terrain = view->terrain,
                                      .passages = chase->passages,
                                      .wave = view->wave,
                                      .arrival = view->arrival,
                                      .slow = view->settings->slow };
    return wave_pincer_new(&waves, most, &chase->wave_pincer, error);
}

static enum status init(void *of, struct error *error)
{
    struct pincer_chase *chase = of;
    const struct chase_view *view = &chase->view;
    const struct agents *agents = view->agents;
    const struct pursuit_settings *settings = view->settings;
    chase->pursuers = memory_new(chase->view.count, sizeof *chase->pursuers);
    chase->routes = memory_new(chase->view.count, sizeof *chase->routes);
    chase->planning = memory_new(chase->view.count, sizeof *chase->planning);
    chase->cells = memory_new(chase->view.count, sizeof *chase->cells);
    if (!chase->pursuers || !chase->routes || !chase->planning || !chase->cells)
        return error_memory(error);
    enum status status =
        passages_new_mirrored(view->terrain, settings->moves, settings->measure,
                              view->mirror, &chase->passages, error);
    if (!status)
        status = planner_new(chase, error);
    size_t made = 0;
    for (size_t i = 0; i < agents->count && !status; i++) {
        if (!chase_steers(view, i))
            continue;
        double at[GRID_AXES];
        agents_place(agents, i, at);
        chase->pursuers[made] = i;
        status =
            route_init(&chase->routes[made++], view->terrain, at,
                       agents->settings[i]->speed, settings->replan, error);
    }
    chase->begun = -1;
    random_stream(
        &chase->ties, agents->seed, "ties",
        view->methods[agents->settings[chase->pursuers[0]]->method]->name);
    return status;
}

static void release(void *of)
{
    struct pincer_chase *chase = of;
    for (size_t i = 0; chase->routes && i < chase->view.count; i++)
        route_release(&chase->routes[i]);
    pincer_release(chase->pincer);
    wave_pincer_release(chase->wave_pincer);
    passages_release(chase->passages);
    memory_release(chase->pursuers);
    memory_release(chase->routes);
    memory_release(chase->planning);
    memory_release(chase->cells);
}

static enum status update(void *of, const struct box *box, struct error *error)
{
    struct pincer_chase *chase = of;
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
    for (size_t i = 0; i < chase->view.count; i++) {
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

static bool plan(void *of, int64_t step, struct agent_plan *plan)
{
    struct pincer_chase *chase = of;
    const struct pursuit_settings *settings = chase->view.settings;
    if (step % settings->replan != 0)
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

static void move(void *of)
{
    struct pincer_chase *chase = of;
    for (size_t i = 0; i < chase->view.count; i++)
        if (chase->view.agents->state[chase->pursuers[i]] != AGENT_CAPTURED)
            route_follow(&chase->routes[i], chase->view.terrain,
                         chase->view.agents, chase->pursuers[i],
                         chase->view.target);
}

static void state(void *of, struct state *state)
{
    struct pincer_chase *chase = of;
    state_visit_steps(state, &chase->begun, 1);
    state_visit_random(state, &chase->ties);
    if (state->mode == STATE_LOAD) /* no plan is left to make */
        planner_begin(chase, 0, 0);
    for (size_t i = 0; i < chase->view.count; i++)
        route_state(&chase->routes[i], &chase->view.terrain->grid, state);
}

const struct chase_kind pincer_chase = {
    .size = sizeof(struct pincer_chase),
    .init = init,
    .release = release,
    .update = update,
    .plan = plan,
    .move = move,
    .state = state,
};

const struct chase_kind wave_pincer_chase = {
    .size = sizeof(struct pincer_chase),
    .init = init,
    .release = release,
    .update = update,
    .plan = plan,
    .move = move,
    .state = state,
};
