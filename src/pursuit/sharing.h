/* SPDX-License-Identifier: MIT */
/* Agents that steer by waves if ranks share the world. An agent belongs to the
 * rank that owns its cell: that rank detects waves for it and moves it. All
 * ranks know the positions of all agents. The rest of the agent's state is sent
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
    struct wave_chase *chase; /* NULL where no wave runs */
    bool any;                 /* agent that is shared */
    bool *own;                /* (agents): is it this rank's, in this step? */
    char *news;               /* what this rank tells */
    size_t room;
};

/* Borrows all. Release with sharing_release. */
enum status sharing_init(struct sharing *sharing, struct ranks *ranks,
                         const struct share *share, struct agents *agents,
                         struct wave_chase *chase, struct error *error);
void sharing_release(struct sharing *sharing);

/* A step begins: whose is each agent? */
void sharing_begin(struct sharing *sharing);

/* Moves this rank's agents a step, by what it holds of the terrain: half a cell
 * at most. Who was blocked tries again where `retry`. */
void sharing_move(struct sharing *sharing, const struct terrain *held,
                  bool retry);

/* All together, before the state is saved: everybody learns what the others'
 * agents have heard. */
enum status sharing_tell_watches(struct sharing *sharing, struct error *error);

/* All together, behind listening and moving: everybody learns where everybody
 * else's agents went, and what came to them; `arrivals` becomes the list that
 * one process would have made. */
enum status sharing_news(struct sharing *sharing,
                         struct agent_arrivals *arrivals, struct error *error);

/* All together: what the first rank made of it, the target's place and who
 * captured it, goes to all. */
void sharing_outcome(struct sharing *sharing, struct target *target,
                     int *captures, size_t *capture_count);

#endif
