/* SPDX-License-Identifier: MIT */
/* A pursuit made ready, and its end. */
#include "pursuit/pursuit_parts.h"

#include "base/memory.h"
#include "pursuit/places.h"

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

static enum status chases_new(struct pursuit *pursuit, struct error *error)
{
    const struct pursuit_view *view = &pursuit->view;
    struct agents *agents =
        pursuit_is_first(pursuit) ? &pursuit->agents : &pursuit->no_agents;
    struct target *target =
        pursuit_is_first(pursuit) ? &pursuit->target : &pursuit->no_target;
    struct pincer_chase_view pincers = {
        .agents = agents,
        .target = target,
        .terrain = view->terrain,
        .settings = view->pursuit,
        .wave = view->wave,
        .arrival = view->arrival,
    };
    enum status status = wave_chase_begin(pursuit, error);
    if (!status)
        status =
            lee_chase_new(agents, view->terrain, view->wave->count,
                          view->wave->lifetime, &pursuit->lee_chase, error);
    if (!status)
        status = heading_walk_new(agents, view->terrain, !view->ranks,
                                  &pursuit->heading_walk, error);
    if (!status)
        status = route_chase_new(agents, target, view->terrain, view->pursuit,
                                 &pursuit->route_chase, error);
    if (!status)
        status = pincer_chase_new(&pincers, METHOD_PINCER,
                                  &pursuit->pincer_chase, error);
    if (!status)
        status = pincer_chase_new(&pincers, METHOD_WAVE_PINCER,
                                  &pursuit->wave_pincer_chase, error);
    if (!status)
        status = relay_walk_new(agents, target, view->terrain, view->pursuit,
                                &pursuit->relay_walk, error);
    if (!status)
        status = evader_new(agents, target, view->terrain, view->pursuit,
                            &pursuit->evader, error);
    return status;
}

void pursuit_count(struct pursuit *pursuit)
{
    const struct agents *agents = &pursuit->agents;
    pursuit->pursuers = pursuit->captured = 0;
    for (size_t i = 0; i < agents->count; i++) {
        pursuit->pursuers += is_pursuer(agents, i);
        pursuit->captured += agents->state[i] == AGENT_CAPTURED;
    }
}

static enum status fill(struct pursuit *pursuit, struct error *error)
{
    const struct pursuit_view *view = &pursuit->view;
    struct agents *agents = &pursuit->agents;
    enum status status =
        agents_init(agents, view->agents, view->agent_count, error);
    if (status)
        return status;
    pursuit->target.settings = view->target;
    agents->seed = pursuit->no_agents.seed = view->seed;
    random_stream(&pursuit->target.random, view->seed, "target", "");
    status = places_fill(agents, &pursuit->target, view->terrain, error);
    if (status)
        return status;
    pursuit_count(pursuit);
    size_t room;
    if (size_multiply(agents->count, (size_t)view->wave->count, &room))
        pursuit->arrivals.items =
            memory_new(room, sizeof *pursuit->arrivals.items);
    pursuit->captures = memory_new(agents->count, sizeof *pursuit->captures);
    if (!pursuit->arrivals.items || !pursuit->captures)
        return error_memory(error);
    return chases_new(pursuit, error);
}

enum status pursuit_new(const struct pursuit_view *view,
                        struct pursuit **pursuit, struct error *error)
{
    struct pursuit *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->view = *view;
    made->wave_clock.emitted = made->lee_clock.emitted = -1;
    enum status status = fill(made, error);
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
    sharing_release(&pursuit->sharing);
    memory_release(pursuit->arrivals.items);
    memory_release(pursuit->captures);
    agents_release(&pursuit->agents);
    memory_release(pursuit);
}
