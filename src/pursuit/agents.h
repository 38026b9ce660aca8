/* SPDX-License-Identifier: MIT */
/* The agents and the target of a run: where they are and which way they go. */
#ifndef HAMON_PURSUIT_AGENTS_H
#define HAMON_PURSUIT_AGENTS_H

#include "base/random.h"
#include "base/status.h"
#include "pursuit/settings.h"
#include "world/terrain.h"

#include <stddef.h>
#include <stdint.h>

/* Arrays of `count` items, an agent each, in the order of the scenario. */
struct agents {
    size_t count;
    const struct agent_settings **settings; /* the entry each comes from */
    char **name;
    double *at[GRID_AXES];      /* cells */
    double *heading[GRID_AXES]; /* unit vector, 0 before the first */
    int8_t *state;              /* enum agent_state of the recording */
};

struct target {
    const struct target_settings *settings; /* NULL: there is no target */
    double at[GRID_AXES], heading[GRID_AXES];
};

/* Agents for the entries, all waiting, none placed. Borrows the entries. */
enum status agents_init(struct agents *agents,
                        const struct agent_settings *entries, size_t count,
                        struct error *error);
void agents_release(struct agents *agents);

/* Puts target and agents where their places say. Random places are drawn from
 * `random`: the target's among the free cells, then each agent's among the
 * free cells that reach the target. STATUS_INPUT where there is none. */
enum status agents_place(struct agents *agents, struct target *target,
                         const struct terrain *terrain, struct random *random,
                         struct error *error);

/* Bytes of what moves, for a restart; out to `memory`, and back. */
size_t agents_state_bytes(const struct agents *agents);
void agents_save(const struct agents *agents, const struct target *target,
                 void *memory);
void agents_load(struct agents *agents, struct target *target,
                 const void *memory);

#endif
