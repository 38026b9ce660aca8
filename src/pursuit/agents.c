/* SPDX-License-Identifier: MIT */
#include "pursuit/agents.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *agent_name(const struct agent_settings *entry, int number)
{
    return entry->count == 1 ? memory_text(entry->name)
                             : memory_format("%s%d", entry->name, number);
}

/* The stream of random numbers of a named agent is that of its name. For other
 * agents it is that of their entry and their number in it, which names of
 * others do not change: "agent11" for the first agent of the first entry. */
static bool streams_new(struct agents *agents,
                        const struct agent_settings *entries, size_t count)
{
    size_t agent = 0;
    agents->stream = memory_new(agents->count, sizeof *agents->stream);
    for (size_t i = 0; i < count && agents->stream; i++) {
        struct agent_settings entry = entries[i];
        char name[32];
        snprintf(name, sizeof name, "agent%zu", i + 1);
        if (!entry.name)
            entry.name = name;
        for (int number = 1; number <= entry.count; number++, agent++) {
            agents->stream[agent] = agent_name(&entry, number);
            if (!agents->stream[agent])
                return false;
        }
    }
    return agents->stream;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The next of agent1, agent2, … that is not in the sorted names. */
static char *next_name(char *const *taken, size_t count, size_t *number)
{
    for (;;) {
        char *name = memory_format("agent%zu", ++*number);
        if (!name || !count ||
            !bsearch(&name, taken, count, sizeof *taken, compare_texts))
            return name;
        memory_release(name);
    }
}

/* The names of agents whose entries have one; NULL for the others. Returns the
 * number of names, or −1 if there is no memory. */
static ptrdiff_t give_names(const struct agent_settings *entries, size_t count,
                            char **names)
{
    ptrdiff_t given = 0;
    for (size_t i = 0; i < count; i++)
        for (int number = 1; number <= entries[i].count; number++, names++) {
            if (!entries[i].name)
                continue;
            *names = agent_name(&entries[i], number);
            if (!*names)
                return -1;
            given++;
        }
    return given;
}

enum status agent_names_new(const struct agent_settings *entries, size_t count,
                            char ***names, struct error *error)
{
    size_t total = 0, used = 0, number = 0;
    for (size_t i = 0; i < count; i++)
        total += (size_t)entries[i].count;
    char **taken = memory_new(total, sizeof *taken);
    *names = memory_new(total, sizeof **names);
    ptrdiff_t given = taken && *names ? give_names(entries, count, *names) : -1;
    bool good = given >= 0;
    for (size_t i = 0; i < total && good; i++)
        if ((*names)[i])
            taken[used++] = (*names)[i];
    if (good)
        qsort(taken, used, sizeof *taken, compare_texts);
    for (size_t i = 0; i < total && good; i++)
        if (!(*names)[i]) {
            (*names)[i] = next_name(taken, used, &number);
            good = (*names)[i];
        }
    memory_release(taken);
    if (good)
        return STATUS_OK;
    agent_names_release(*names, total);
    *names = NULL;
    return error_memory(error);
}

void agent_names_release(char **names, size_t count)
{
    for (size_t i = 0; names && i < count; i++)
        memory_release(names[i]);
    memory_release(names);
}

static bool arrays_new(struct agents *agents)
{
    size_t count = agents->count;
    agents->settings = memory_new(count, sizeof *agents->settings);
    agents->state = memory_new(count, sizeof *agents->state);
    bool good = agents->settings && agents->state;
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
    enum status status = arrays_new(agents) ? STATUS_OK : error_memory(error);
    if (!status)
        status = agent_names_new(entries, count, &agents->name, error);
    if (!status && !streams_new(agents, entries, count))
        status = error_memory(error);
    if (status) {
        agents_release(agents);
        return status;
    }
    size_t agent = 0;
    for (size_t i = 0; i < count; i++)
        for (int number = 0; number < entries[i].count; number++)
            agents->settings[agent++] = &entries[i];
    return STATUS_OK;
}

void agents_release(struct agents *agents)
{
    agent_names_release(agents->name, agents->count);
    agent_names_release(agents->stream, agents->count);
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
