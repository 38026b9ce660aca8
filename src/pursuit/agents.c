/* SPDX-License-Identifier: MIT */
#include "pursuit/agents.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static char *agent_name(const struct agent_settings *entry, int number)
{
    if (entry->count == 1)
        return memory_text(entry->name);
    size_t bytes = strlen(entry->name) + 12;
    char *name = memory_new(bytes, 1);
    if (name)
        snprintf(name, bytes, "%s%d", entry->name, number);
    return name;
}

static bool arrays_new(struct agents *agents)
{
    size_t count = agents->count;
    agents->settings = memory_new(count, sizeof *agents->settings);
    agents->name = memory_new(count, sizeof *agents->name);
    agents->state = memory_new(count, sizeof *agents->state);
    bool good = agents->settings && agents->name && agents->state;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        agents->at[axis] = memory_new(count, sizeof(double));
        agents->heading[axis] = memory_new(count, sizeof(double));
        good = good && agents->at[axis] && agents->heading[axis];
    }
    return good;
}

enum status agents_init(struct agents *agents,
                        const struct agent_settings *entries, size_t count,
                        struct error *error)
{
    *agents = (struct agents){ 0 };
    for (size_t i = 0; i < count; i++)
        agents->count += (size_t)entries[i].count;
    if (!arrays_new(agents))
        goto failed;
    size_t agent = 0;
    for (size_t i = 0; i < count; i++)
        for (int number = 1; number <= entries[i].count; number++, agent++) {
            agents->settings[agent] = &entries[i];
            agents->name[agent] = agent_name(&entries[i], number);
            if (!agents->name[agent])
                goto failed;
        }
    return STATUS_OK;
failed:
    agents_release(agents);
    return error_memory(error);
}

void agents_release(struct agents *agents)
{
    for (size_t i = 0; agents->name && i < agents->count; i++)
        memory_release(agents->name[i]);
    memory_release(agents->name);
    memory_release(agents->settings);
    memory_release(agents->state);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        memory_release(agents->at[axis]);
        memory_release(agents->heading[axis]);
    }
    *agents = (struct agents){ 0 };
}

void agents_state(struct agents *agents, struct target *target,
                  struct state *state)
{
    state_visit(state, target->at, sizeof target->at);
    state_visit(state, target->heading, sizeof target->heading);
    state_visit(state, &target->held, sizeof target->held);
    state_visit(state, &target->waypoint, sizeof target->waypoint);
    state_visit(state, &target->random, sizeof target->random);
    size_t reals = agents->count * sizeof(double);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        state_visit(state, agents->at[axis], reals);
        state_visit(state, agents->heading[axis], reals);
    }
    state_visit(state, agents->state, agents->count);
}

bool agents_are_in(const struct agents *agents, size_t agent,
                   const struct share *share)
{
    double at[GRID_AXES];
    int cell[GRID_AXES];
    agents_place(agents, agent, at);
    grid_cell(&share->world, grid_nearest(&share->world, at), cell);
    return share_owns(share, cell[0], cell[1], cell[2]);
}
