/* SPDX-License-Identifier: MIT */
/* The cells that a walk reaches, by the simplest search. */
#ifndef HAMON_TESTS_WORLD_FLOOD_H
#define HAMON_TESTS_WORLD_FLOOD_H

#include "world/terrain.h"

/* Marks in `reached` (cells bytes, caller's, zero before) the free cells that a
 * walk by single steps along the axes from the free cell `from` reaches,
 * obeying one-way cells; `queue` is the caller's, of `cells` int32. Returns the
 * number of newly marked cells. It does not continue from cells marked before,
 * so that components can be found one after another. */
static inline size_t terrain_flood(const struct terrain *terrain, size_t from,
                                   uint8_t *reached, int32_t *queue)
{
    const struct grid *grid = &terrain->grid;
    size_t head = 0, tail = 0;
    if (!terrain->wall[from] && !reached[from]) {
        reached[from] = 1;
        queue[tail++] = (int32_t)from;
    }
    while (head < tail) {
        size_t here = (size_t)queue[head++];
        int cell[GRID_AXES];
        grid_cell(grid, here, cell);
        for (int d = 0; d < 2 * grid->dims; d++) {
            const int *step = direction_step[d];
            int x = cell[0] + step[0], y = cell[1] + step[1],
                z = cell[2] + step[2];
            if (!grid_holds(grid, x, y, z))
                continue;
            size_t next = grid_index(grid, x, y, z);
            if (reached[next] || !terrain_step_is_allowed(terrain, here, next,
                                                          (enum direction)d))
                continue;
            reached[next] = 1;
            queue[tail++] = (int32_t)next;
        }
    }
    return tail;
}

#endif
