/* SPDX-License-Identifier: MIT */
#include "pursuit/heading_walk.h"

#include "base/clones.h"
#include "base/memory.h"
#include "pursuit/motion.h"

/* Consecutive agents with one speed: an entry of the scenario. */
struct entry {
    size_t first, count;
    double speed;
};

struct heading_walk {
    struct agents *agents;
    const struct terrain *terrain;
    struct entry *entries;
    size_t entry_count;
};

/* Agents of an entry handled at a time: their end points stay in the
 * first-level cache. */
enum { GROUP = 64 };

/* The end points of a group's steps. A flag has all bits set or none, and is as
 * wide as the data it is combined with, for vectorisation. */
struct ends {
    double at[GRID_AXES][GROUP];
    int64_t inside[GROUP]; /* it is on the map */
    int32_t cell[GROUP];   /* its cell; any value if outside */
    int32_t moves[GROUP];  /* the agent */
    uint8_t wall[GROUP];   /* the cell is a wall */
    int32_t blocked[GROUP];
    int64_t goes[GROUP];
};

static void list_troops(struct heading_walk *walk, bool waves)
{
    const struct agents *agents = walk->agents;
    for (size_t i = 0, next; i < agents->count; i = next) {
        const struct agent_settings *settings = agents->settings[i];
        for (next = i + 1; next < agents->count; next++)
            if (agents->settings[next] != settings)
                break;
        if (settings->steering == STEERING_EMISSION &&
            (settings->method == METHOD_LEE ||
             (waves && settings->method == METHOD_WAVE)))
            walk->entries[walk->entry_count++] = (struct entry){
                .first = i, .count = next - i, .speed = settings->speed
            };
    }
}

enum status heading_walk_new(struct agents *agents,
                             const struct terrain *terrain, bool waves,
                             struct heading_walk **walk, struct error *error)
{
    struct heading_walk *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->agents = agents;
    made->terrain = terrain;
    made->entries = memory_new(agents->count, sizeof *made->entries);
    if (!made->entries) {
        heading_walk_release(made);
        return error_memory(error);
    }
    list_troops(made, waves);
    *walk = made;
    return STATUS_OK;
}

void heading_walk_release(struct heading_walk *walk)
{
    if (!walk)
        return;
    memory_release(walk->entries);
    memory_release(walk);
}

/* Loops without a branch or an index, for vectorisation. Agents that do not
 * move are included; `goes` leaves them in place. The cell is motion_cell's;
 * unsigned, for a step beyond the edge of the largest map. */
VECTOR_CLONES static void find_ends(const struct agents *agents,
                                    const struct grid *grid,
                                    const struct entry *group,
                                    struct ends *ends)
{
    const size_t first = group->first, count = group->count;
    const double speed = group->speed;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    const int8_t *state = agents->state + first;
    unsigned weight = 1;
    for (int axis = 0; axis < grid_axes(grid); axis++) {
        const double *at = agents->at[axis] + first;
        const double *heading = agents->heading[axis] + first;
        const double last = extent[axis] - 1;
        for (size_t i = 0; i < count; i++) {
            double end = at[i] + motion_round(speed * heading[i]);
            int64_t inside = axis ? ends->inside[i] : -1;
            unsigned cell = axis ? (unsigned)ends->cell[i] : 0;
            ends->at[axis][i] = end;
            ends->inside[i] = ((end >= 0) & (end <= last)) ? inside : 0;
            ends->cell[i] =
                (int32_t)(cell + weight * (unsigned)(int)(end + .5));
        }
        weight *= (unsigned)extent[axis];
    }
    for (size_t i = 0; i < count; i++) {
        ends->cell[i] &= (int32_t)ends->inside[i];
        ends->moves[i] = state[i] == AGENT_MOVING ? -1 : 0;
    }
}

VECTOR_CLONES static void choose(struct ends *ends, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t free = ends->wall[i] ? 0 : -1;
        int32_t goes = (int32_t)ends->inside[i] & ends->moves[i] & free;
        ends->blocked[i] = ends->moves[i] & ~goes;
        ends->goes[i] = goes;
    }
}

VECTOR_CLONES static void go_straight(struct agents *agents, int dims,
                                      const struct entry *group,
                                      const struct ends *ends)
{
    for (int axis = 0; axis < dims; axis++) {
        double *at = agents->at[axis] + group->first;
        for (size_t i = 0; i < group->count; i++)
            at[i] = ends->goes[i] ? ends->at[axis][i] : at[i];
    }
}

/* `end` is outside the map or in a wall, but perhaps on the border of a free
 * cell. */
static void go_aside(const struct heading_walk *walk, size_t agent,
                     const double end[GRID_AXES], bool inside, double speed)
{
    struct agents *agents = walk->agents;
    double at[GRID_AXES], heading[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        at[axis] = agents->at[axis][agent];
        heading[axis] = agents->heading[axis][agent];
    }
    bool border = inside && motion_is_between(end);
    if (border ? !motion_step(walk->terrain, at, heading, speed)
               : !motion_step_aside(walk->terrain, NULL, at, heading, speed))
        agents->state[agent] = AGENT_STUCK;
    for (int axis = 0; axis < GRID_AXES; axis++)
        agents->at[axis][agent] = at[axis];
}

/* A branch predictor cannot predict which agents are blocked: list them first,
 * without a branch. */
static void move_group(const struct heading_walk *walk,
                       const struct entry *group)
{
    const struct grid *grid = &walk->terrain->grid;
    const uint8_t *wall = walk->terrain->wall;
    struct ends ends;
    int32_t blocked[GROUP];
    size_t count = 0;
    find_ends(walk->agents, grid, group, &ends);
    for (size_t i = 0; i < group->count; i++)
        ends.wall[i] = wall[ends.cell[i]];
    choose(&ends, group->count);
    go_straight(walk->agents, grid->dims, group, &ends);
    for (size_t i = 0; i < group->count; i++) {
        blocked[count] = (int32_t)i;
        count += (size_t)(ends.blocked[i] & 1);
    }
    for (size_t i = 0; i < count; i++) {
        /* cppcheck-suppress uninitvar ; count of them are set */
        size_t which = (size_t)blocked[i];
        double end[GRID_AXES] = { ends.at[0][which], ends.at[1][which] };
        if (grid->dims == GRID_AXES)
            end[2] = ends.at[2][which];
        go_aside(walk, group->first + which, end, ends.inside[which],
                 group->speed);
    }
}

static void free_stuck(int8_t *state, size_t count)
{
    for (size_t i = 0; i < count; i++)
        state[i] = state[i] == AGENT_STUCK ? AGENT_MOVING : state[i];
}

void heading_walk_move(struct heading_walk *walk, bool retry)
{
    for (size_t i = 0; i < walk->entry_count; i++) {
        struct entry group = walk->entries[i];
        size_t left = group.count;
        if (retry)
            free_stuck(walk->agents->state + group.first, group.count);
        for (; left > 0; left -= group.count, group.first += group.count) {
            group.count = left < GROUP ? left : GROUP;
            move_group(walk, &group);
        }
    }
}
