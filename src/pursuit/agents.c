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

/* A unit vector's components, and what rounding may add. */
static void headings_state(double *headings, size_t count, struct state *state)
{
    const double most = 1 + 1e-6;
    state_visit_reals(state, headings, count, -most, most);
}

static void target_state(struct target *target, const struct grid *grid,
                         const int extent[GRID_AXES], struct state *state)
{
    size_t waypoints = target->settings ? target->settings->waypoint_count : 0;
    int64_t waypoint = (int64_t)target->waypoint;
    for (int axis = 0; axis < GRID_AXES; axis++)
        state_visit_place(state, &target->at[axis], 1, extent[axis]);
    headings_state(target->heading, GRID_AXES, state);
    state_visit_whole(state, &target->cell, 1, 0,
                      (int64_t)grid_cells(grid) - 1);
    state_visit_whole(state, &target->held, 1, 0, TARGET_HELD_MOST);
    state_visit_whole(state, &waypoint, 1, 0,
                      waypoints ? (int64_t)waypoints - 1 : 0);
    target->waypoint = (size_t)waypoint;
    leg_state(&target->leg, grid, state);
    state_visit_random(state, &target->random);
}

void agents_state(struct agents *agents, struct target *target,
                  const struct grid *grid, struct state *state)
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    target_state(target, grid, extent, state);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        state_visit_place(state, agents->at[axis], agents->count, extent[axis]);
        headings_state(agents->heading[axis], agents->count, state);
    }
    state_visit_kinds(state, agents->state, agents->count, AGENT_STUCK);
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
