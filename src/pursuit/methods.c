/* SPDX-License-Identifier: MIT */
/* The methods of the agents, and the chases that steer them. */
#include "pursuit/chase.h"
#include "search/relay.h"

#define METHOD(...)                                                            \
    &(const struct method)                                                     \
    {                                                                          \
        .name = __VA_ARGS__                                                    \
    }

/* A method of route_chase has the name of its search. */
const struct method *const agent_methods[] = {
    [METHOD_WAVE] = METHOD("wave", .reacts = true, .waves = true),
    [METHOD_LEE] = METHOD("lee", .chase = &lee_chase, .reacts = true),
    [METHOD_DIJKSTRA] =
        METHOD("dijkstra", .chase = &route_chase, .wanders = true),
    [METHOD_ASTAR] = METHOD("astar", .chase = &route_chase, .wanders = true),
    [METHOD_FAST_MARCHING] =
        METHOD("fast-marching", .chase = &route_chase, .wanders = true),
    [METHOD_DSTAR_LITE] =
        METHOD("dstar-lite", .chase = &route_chase, .wanders = true),
    [METHOD_PINCER] = METHOD("pincer", .chase = &pincer_chase),
    [METHOD_RELAY] = METHOD("relay", .chase = &relay_walk, .wanders = true,
                            .flat = true, .nodes = RELAY_NODES_MOST),
    [METHOD_RELAY_COMPLETE] =
        METHOD("relay-complete", .chase = &relay_walk, .wanders = true,
               .flat = true, .nodes = RELAY_NODES_MOST),
    [METHOD_WAVE_PINCER] =
        METHOD("wave-pincer", .chase = &wave_pincer_chase, .own_waves = true),
    NULL,
};

const struct chase_kind *const chase_kinds[CHASE_KINDS_MOST + 1] = {
    &lee_chase,  &route_chase, &pincer_chase, &wave_pincer_chase,
    &relay_walk, &evasion,     NULL,
};
