/* SPDX-License-Identifier: MIT */
#include "pursuit/reach.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum status reach_init(struct reach *reach, const struct terrain *terrain,
                       struct error *error)
{
    const size_t cells = grid_cells(&terrain->grid);
    *reach = (struct reach){
        .terrain = terrain,
        .reached = memory_new(cells, sizeof *reach->reached),
        .queue = memory_new(cells, sizeof *reach->queue),
    };
    return reach->reached && reach->queue ? STATUS_OK : error_memory(error);
}

void reach_release(struct reach *reach)
{
    memory_release(reach->reached);
    memory_release(reach->queue);
    *reach = (struct reach){ 0 };
}

void reach_find(struct reach *reach, size_t from)
{
    const struct grid *grid = &reach->terrain->grid;
    const uint8_t *wall = reach->terrain->wall;
    size_t head = 0, tail = 0;
    if (reach->known && (wall[from] || reach->reached[from]))
        return;
    reach->known = true;
    memset(reach->reached, 0, grid_cells(grid));
    if (wall[from])
        return;
    reach->reached[from] = 1;
    reach->queue[tail++] = (int32_t)from;
    while (head < tail) {
        int cell[GRID_AXES];
        grid_cell(grid, (size_t)reach->queue[head++], cell);
        for (int d = 0; d < 2 * grid_axes(grid); d++) {
            const int *step = direction_step[d];
            const int x = cell[0] + step[0], y = cell[1] + step[1],
                      z = cell[2] + step[2];
            if (!grid_holds(grid, x, y, z))
                continue;
            const size_t next = grid_index(grid, x, y, z);
            if (wall[next] || reach->reached[next])
                continue;
            reach->reached[next] = 1;
            reach->queue[tail++] = (int32_t)next;
        }
    }
}

bool reach_holds(const struct reach *reach, const double at[GRID_AXES])
{
    const struct grid *grid = &reach->terrain->grid;
    for (int corner = 0; corner < 1 << grid_axes(grid); corner++) {
        int cell[GRID_AXES] = { 0 };
        for (int axis = 0; axis < grid_axes(grid); axis++)
            cell[axis] = (int)(corner >> axis & 1 ? floor(at[axis] + .5)
                                                  : ceil(at[axis] - .5));
        if (grid_holds(grid, cell[0], cell[1], cell[2]) &&
            reach->reached[grid_index(grid, cell[0], cell[1], cell[2])])
            return true;
    }
    return false;
}
