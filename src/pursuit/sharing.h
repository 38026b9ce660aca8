/* SPDX-License-Identifier: MIT */
/* Agents that steer by waves if ranks share the map. An agent belongs to the
 * rank that owns its cell: that rank detects waves for it and moves it. All
 * ranks have the positions of all agents. The rest of the agent's state is sent
 * along when it crosses into another block. */
#ifndef HAMON_PURSUIT_SHARING_H
#define HAMON_PURSUIT_SHARING_H

#include "base/ranks.h"
#include "base/status.h"
#include "pursuit/agents.h"
#include "pursuit/wave_chase.h"
#include "world/split.h"
#include "world/terrain.h"

#include <stdbool.h>

struct sharing {
    struct ranks *ranks;
    const struct share *share;
    struct agents *agents;
    struct wave_chase *chase; /* NULL if no wave runs */
    bool any;                 /* whether any agent is shared */
    bool *own;                /* (agents): does this rank own it in this
                               * step? */
    char *news;               /* what this rank sends */
    size_t room;
};

/* Borrows all. Release with sharing_release. */
enum status sharing_init(struct sharing *sharing, struct ranks *ranks,
                         const struct share *share, struct agents *agents,
                         struct wave_chase *chase, struct error *error);
void sharing_release(struct sharing *sharing);

/* A step begins: finds the owner of each agent. */
void sharing_begin(struct sharing *sharing);

/* Moves this rank's agents one step, half a cell at most, on its part of the
 * terrain. With `retry`, agents that were blocked try again. */
void sharing_move(struct sharing *sharing, const struct terrain *held,
                  bool retry);

/* Collective, before the state is saved: sends the agents' watches to all
 * ranks. */
enum status sharing_send_watches(struct sharing *sharing, struct error *error);

/* Collective, after listening and moving: all ranks receive the positions and
 * arrivals of the agents of the others; `arrivals` becomes the list that one
 * process would have made. */
enum status sharing_news(struct sharing *sharing,
                         struct agent_arrivals *arrivals, struct error *error);

/* Collective: sends the first rank's results (the target's position, and which
 * agents captured) to all ranks. */
void sharing_outcome(struct sharing *sharing, struct target *target,
                     int *captures, size_t *capture_count);

#endif
