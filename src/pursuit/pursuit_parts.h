/* SPDX-License-Identifier: MIT */
/* What a pursuit is made of, for its own files only. */
#ifndef HAMON_PURSUIT_PURSUIT_PARTS_H
#define HAMON_PURSUIT_PURSUIT_PARTS_H

#include "pursuit/evader.h"
#include "pursuit/heading_walk.h"
#include "pursuit/lee_chase.h"
#include "pursuit/pincer_chase.h"
#include "pursuit/pursuit.h"
#include "pursuit/relay_walk.h"
#include "pursuit/route_chase.h"
#include "pursuit/sharing.h"
#include "pursuit/wave_chase.h"

/* The restart on arrival: the step of the last emission, and whether an agent
 * has reacted to it. */
struct restart_clock {
    int64_t emitted, arrived;
};

struct pursuit {
    struct pursuit_view view;
    struct agents agents;
    struct target target;
    struct wave_chase *wave_chase; /* NULL where no wave runs */
    struct lee_chase *lee_chase;
    struct heading_walk *heading_walk;
    struct route_chase *route_chase;
    struct pincer_chase *pincer_chase, *wave_pincer_chase;
    struct relay_walk *relay_walk;
    struct evader *evader;
    struct restart_clock wave_clock, lee_clock;
    struct agent_arrivals arrivals;
    int *captures; /* agents; room for all */
    size_t capture_count;
    size_t pursuers, captured; /* agents, and those of them that are done */
    struct sharing sharing;    /* where ranks share the world */
    /* What the chases of the other ranks steer, and after whom: nobody. */
    struct agents no_agents;
    struct target no_target;
    bool retry; /* the map changed: who was blocked may be free now */
};

/* Whole-map searches, and the target, are the first rank's. */
static inline bool pursuit_is_first(const struct pursuit *pursuit)
{
    return ranks_self(pursuit->view.ranks) == 0;
}

/* pursuit_new.c: who pursues, and who of them is done, as the stop rule asks at
 * each step. */
void pursuit_count(struct pursuit *pursuit);

static inline bool is_pursuer(const struct agents *agents, size_t agent)
{
    return !agents->settings[agent]->goal_random;
}

#endif
