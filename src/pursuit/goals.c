/* SPDX-License-Identifier: MIT */
#include "pursuit/goals.h"

#include "base/memory.h"

enum status goals_init(struct goals *goals, const struct grid *grid,
                       struct error *error)
{
    *goals = (struct goals){ .cells = memory_new(grid_cells(grid),
                                                 sizeof *goals->cells) };
    return goals->cells ? STATUS_OK : error_memory(error);
}

void goals_release(struct goals *goals)
{
    memory_release(goals->cells);
    *goals = (struct goals){ 0 };
}

void goals_list(struct goals *goals, const struct terrain *terrain)
{
    goals->count = 0;
    for (size_t cell = 0; cell < grid_cells(&terrain->grid); cell++)
        if (!terrain->wall[cell])
            goals->cells[goals->count++] = (int32_t)cell;
}

void goals_stream(struct random *random, const struct agents *agents,
                  size_t agent)
{
    random_stream(random, agents->seed, "goals", agents->name[agent]);
}

bool goals_draw(const struct goals *goals, size_t from, struct random *random,
                size_t *goal)
{
    if (goals->count < 2)
        return false;
    do
        *goal = (size_t)goals->cells[random_below(random, goals->count)];
    while (*goal == from);
    return true;
}
