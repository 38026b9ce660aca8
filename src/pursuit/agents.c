/* SPDX-License-Identifier: MIT */
#include "pursuit/agents.h"

#include "base/memory.h"

#include <math.h>
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

/* The cells that a place may be drawn from. */
struct draw {
    const struct terrain *terrain;
    const uint8_t *allowed;  /* cells; NULL: every free cell */
    const double *away_from; /* NULL: nothing */
    double min_distance;
};

static bool may_stand(const struct draw *draw, size_t cell)
{
    if (draw->terrain->wall[cell] || (draw->allowed && !draw->allowed[cell]))
        return false;
    if (!draw->away_from)
        return true;
    int at[GRID_AXES];
    grid_cell(&draw->terrain->grid, cell, at);
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double d = at[axis] - draw->away_from[axis];
        square += d * d;
    }
    return sqrt(square) >= draw->min_distance;
}

/* Draws one of the cells; each is as likely as any other. */
static bool draw_place(const struct draw *draw, struct random *random,
                       double at[GRID_AXES])
{
    size_t cells = grid_cells(&draw->terrain->grid), count = 0;
    for (size_t cell = 0; cell < cells; cell++)
        count += may_stand(draw, cell);
    if (!count)
        return false;
    uint64_t chosen = random_below(random, count);
    size_t cell = 0;
    for (;; cell++)
        if (may_stand(draw, cell) && chosen-- == 0)
            break;
    int place[GRID_AXES];
    grid_cell(&draw->terrain->grid, cell, place);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = place[axis];
    return true;
}

static enum status place_target(struct target *target,
                                const struct terrain *terrain,
                                struct random *random, struct error *error)
{
    const struct place *place = &target->settings->place;
    memcpy(target->at, place->at, sizeof target->at);
    struct draw draw = { .terrain = terrain };
    if (place->random && !draw_place(&draw, random, target->at))
        return error_set(error, STATUS_INPUT,
                         "target.at: the map has no free cell");
    return STATUS_OK;
}

static enum status place_agents(struct agents *agents,
                                const struct target *target,
                                const struct draw *draw, struct random *random,
                                struct error *error)
{
    for (size_t i = 0; i < agents->count; i++) {
        const struct place *place = &agents->settings[i]->place;
        double at[GRID_AXES];
        memcpy(at, place->at, sizeof at);
        struct draw own = *draw;
        own.min_distance = place->min_distance;
        own.away_from = target->settings ? target->at : NULL;
        if (place->random && !draw_place(&own, random, at))
            return error_set(error, STATUS_INPUT,
                             "agents: no free cell for %s from which the "
                             "target can be reached, min_distance %g away",
                             agents->name[i], place->min_distance);
        for (int axis = 0; axis < GRID_AXES; axis++)
            agents->at[axis][i] = at[axis];
    }
    return STATUS_OK;
}

enum status agents_place(struct agents *agents, struct target *target,
                         const struct terrain *terrain, struct random *random,
                         struct error *error)
{
    enum status status = STATUS_OK;
    uint8_t *reached = NULL;
    int32_t *queue = NULL;
    struct draw draw = { .terrain = terrain };
    if (target->settings) {
        status = place_target(target, terrain, random, error);
        if (status)
            return status;
        size_t cells = grid_cells(&terrain->grid);
        size_t cell = grid_nearest(&terrain->grid, target->at);
        reached = memory_new(cells, sizeof *reached);
        queue = memory_new(cells, sizeof *queue);
        if (!reached || !queue) {
            status = error_memory(error);
            goto done;
        }
        if (!terrain->wall[cell])
            terrain_flood(terrain, cell, reached, queue);
        draw.allowed = reached;
    }
    status = place_agents(agents, target, &draw, random, error);
done:
    memory_release(reached);
    memory_release(queue);
    return status;
}

void agents_state(struct agents *agents, struct target *target,
                  struct state *state)
{
    state_visit(state, target->at, sizeof target->at);
    state_visit(state, target->heading, sizeof target->heading);
    state_visit(state, &target->held, sizeof target->held);
    state_visit(state, &target->waypoint, sizeof target->waypoint);
    size_t reals = agents->count * sizeof(double);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        state_visit(state, agents->at[axis], reals);
        state_visit(state, agents->heading[axis], reals);
    }
    state_visit(state, agents->state, agents->count);
}
