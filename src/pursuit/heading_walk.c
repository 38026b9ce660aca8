/* SPDX-License-Identifier: MIT */
#include "pursuit/heading_walk.h"

#include "base/memory.h"
#include "pursuit/motion.h"

/* Whoever moves in this step; (count) of each. */
struct heading_walk {
    struct agents *agents;
    const struct terrain *terrain;
    size_t count;
    int32_t *walkers;      /* agents */
    int32_t *going;        /* those of them that move */
    int32_t *cell;         /* where these end, or −1: outside */
    double *at[GRID_AXES]; /* and where they came from */
    int32_t *blocked;      /* places in the three arrays above */
};

enum status heading_walk_new(struct agents *agents,
                             const struct terrain *terrain, bool waves,
                             struct heading_walk **walk, struct error *error)
{
    struct heading_walk *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->agents = agents;
    made->terrain = terrain;
    made->walkers = memory_new(agents->count, sizeof *made->walkers);
    made->going = memory_new(agents->count, sizeof *made->going);
    made->cell = memory_new(agents->count, sizeof *made->cell);
    made->blocked = memory_new(agents->count, sizeof *made->blocked);
    bool good = made->walkers && made->going && made->cell && made->blocked;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        made->at[axis] = memory_new(agents->count, sizeof *made->at[axis]);
        good = good && made->at[axis];
    }
    if (!good) {
        heading_walk_release(made);
        return error_memory(error);
    }
    for (size_t i = 0; i < agents->count; i++)
        if ((waves && agents->settings[i]->method == METHOD_WAVE) ||
            agents->settings[i]->method == METHOD_LEE)
            made->walkers[made->count++] = (int32_t)i;
    *walk = made;
    return STATUS_OK;
}

void heading_walk_release(struct heading_walk *walk)
{
    if (!walk)
        return;
    memory_release(walk->walkers);
    memory_release(walk->going);
    memory_release(walk->cell);
    memory_release(walk->blocked);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(walk->at[axis]);
    memory_release(walk);
}

/* Everybody goes, into walls too; how many went. */
static size_t go_straight(struct heading_walk *walk)
{
    const struct agents *agents = walk->agents;
    const struct grid grid = walk->terrain->grid;
    const uint8_t *wall = walk->terrain->wall;
    const int8_t *state = agents->state;
    double *const x = agents->at[0], *const y = agents->at[1],
                  *const z = agents->at[2];
    double *const *heading = agents->heading, *const *from = walk->at;
    size_t going = 0;
    for (size_t i = 0; i < walk->count; i++) {
        size_t agent = (size_t)walk->walkers[i];
        if (state[agent] != AGENT_MOVING)
            continue;
        double speed = agents->settings[agent]->speed;
        double end[GRID_AXES] = { x[agent] + speed * heading[0][agent],
                                  y[agent] + speed * heading[1][agent] };
        from[0][going] = x[agent];
        from[1][going] = y[agent];
        x[agent] = end[0];
        y[agent] = end[1];
        if (grid.dims > 2) {
            end[2] = z[agent] + speed * heading[2][agent];
            from[2][going] = z[agent];
            z[agent] = end[2];
        }
        int cell = motion_cell(&grid, end);
        __builtin_prefetch(&wall[cell < 0 ? 0 : cell]);
        walk->cell[going] = cell;
        walk->going[going++] = (int32_t)agent;
    }
    return going;
}

/* Who ended in a wall. Without a branch: which of them do is nothing that a
 * processor can guess, and none must wait for the walls of another. */
static size_t find_blocked(struct heading_walk *walk, size_t going)
{
    const uint8_t *wall = walk->terrain->wall;
    size_t blocked = 0;
    for (size_t i = 0; i < going; i++) {
        int32_t cell = walk->cell[i];
        walk->blocked[blocked] = (int32_t)i;
        blocked += (cell < 0) | (wall[cell < 0 ? 0 : cell] != 0);
    }
    return blocked;
}

void heading_walk_move(struct heading_walk *walk, bool retry)
{
    struct agents *agents = walk->agents;
    for (size_t i = 0; i < walk->count && retry; i++)
        if (agents->state[walk->walkers[i]] == AGENT_STUCK)
            agents->state[walk->walkers[i]] = AGENT_MOVING;
    size_t blocked = find_blocked(walk, go_straight(walk));
    for (size_t i = 0; i < blocked; i++) {
        int32_t place = walk->blocked[i], agent = walk->going[place];
        double at[GRID_AXES], heading[GRID_AXES];
        for (int axis = 0; axis < GRID_AXES; axis++) {
            at[axis] = walk->at[axis][place];
            heading[axis] = agents->heading[axis][agent];
        }
        if (!motion_step_aside(walk->terrain, NULL, at, heading,
                               agents->settings[agent]->speed))
            agents->state[agent] = AGENT_STUCK;
        for (int axis = 0; axis < GRID_AXES; axis++)
            agents->at[axis][agent] = at[axis];
    }
}
