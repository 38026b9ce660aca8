/* SPDX-License-Identifier: MIT */
#include "pursuit/node_heading.h"

#include "pursuit/node_walk.h"
#include "wave/arrival/arrival.h"

#include <math.h>
#include <string.h>

/* The newest emission that has arrived at the free cell, or −1. */
static int64_t arrived(const struct trail *trail, size_t cell)
{
    const int64_t emitted[] = { trail->emitted, trail->emitted_before };
    for (int i = 0; i < 2; i++)
        if (emitted[i] >= 0 && trail_at(trail, emitted[i], cell) > -INFINITY)
            return emitted[i];
    return -1;
}

bool node_heading(const struct trail *trail, double sight, size_t cell,
                  double heading[GRID_AXES])
{
    const struct grid *grid = &trail->terrain->grid;
    struct node_hold hold = { .node = (int64_t)cell };
    double at[GRID_AXES], node[GRID_AXES], way[GRID_AXES];
    memset(heading, 0, GRID_AXES * sizeof *heading);
    if (trail->terrain->wall[cell])
        return false;
    hold.emitted = arrived(trail, cell);
    node_place(grid, hold.node, 0, at);
    if (hold.emitted < 0 || !node_choose(trail, sight, at, &hold))
        return false;
    node_place(grid, hold.node, hold.corner, node);
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = node[axis] - at[axis];
    return heading_unit(way, heading);
}
