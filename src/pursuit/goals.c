/* SPDX-License-Identifier: MIT */
#include "pursuit/goals.h"

#include "base/memory.h"

enum status goals_init(struct goals *goals, const struct terrain *terrain,
                       struct error *error)
{
    goals->cells = memory_new(grid_cells(&terrain->grid), sizeof *goals->cells);
    if (!goals->cells)
        return error_memory(error);
    if (!memory_is_promised()) /* promised memory must not be touched */
        goals_list(goals, terrain);
    return STATUS_OK;
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
    random_stream(random, agents->seed, "goals", agents->stream[agent]);
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
