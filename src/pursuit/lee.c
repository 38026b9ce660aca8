/* SPDX-License-Identifier: MIT */
#include "pursuit/lee.h"

#include "wave/arrival/arrival.h"

#include <string.h>

enum status lee_front_init(struct lee_front *front,
                           const struct terrain *terrain, struct error *error)
{
    front->emitted = -1;
    return light_cone_init(&front->cone, terrain, error);
}

void lee_front_release(struct lee_front *front)
{
    light_cone_release(&front->cone);
}

void lee_front_emit(struct lee_front *front, size_t cell, int64_t step)
{
    light_cone_begin(&front->cone, cell);
    front->emitted = step;
}

void lee_front_step(struct lee_front *front)
{
    light_cone_advance(&front->cone);
}

void lee_front_update(struct lee_front *front, const struct box *box)
{
    light_cone_update(&front->cone, box);
}

int32_t lee_front_distance(const struct lee_front *front, size_t cell)
{
    return front->cone.reached[cell];
}

/* The distance at a neighbour, or −1 if there is no step to it: outside,
 * unreached, or behind a corner (every cell of the move's box must be free). */
static int32_t neighbour_distance(const struct lee_front *front,
                                  const int at[GRID_AXES],
                                  const int step[GRID_AXES])
{
    const struct terrain *terrain = front->cone.terrain;
    const struct grid *grid = &terrain->grid;
    if (!grid_holds(grid, at[0] + step[0], at[1] + step[1], at[2] + step[2]))
        return -1;
    for (int corner = 1; corner < 8; corner++) {
        size_t cell = grid_index(grid, at[0] + (corner & 1 ? step[0] : 0),
                                 at[1] + (corner & 2 ? step[1] : 0),
                                 at[2] + (corner & 4 ? step[2] : 0));
        if (terrain->wall[cell])
            return -1;
    }
    return lee_front_distance(
        front,
        grid_index(grid, at[0] + step[0], at[1] + step[1], at[2] + step[2]));
}

struct best {
    int32_t distance;
    int step[GRID_AXES];
};

static void consider(const struct lee_front *front, const int at[GRID_AXES],
                     const int step[GRID_AXES], struct best *best)
{
    int32_t distance = neighbour_distance(front, at, step);
    if (distance < 0 || distance >= best->distance)
        return;
    best->distance = distance;
    memcpy(best->step, step, sizeof best->step);
}

/* The moves, in the order of ties before mirroring. */
static void consider_mirrored(const struct lee_front *front,
                              const int at[GRID_AXES],
                              const int step[GRID_AXES], unsigned mirror,
                              struct best *best)
{
    int to[GRID_AXES] = { 0 };
    for (int axis = 0; axis < GRID_AXES; axis++)
        to[axis] = mirror >> axis & 1 ? -step[axis] : step[axis];
    consider(front, at, to, best);
}

bool lee_front_heading(const struct lee_front *front, size_t cell,
                       unsigned mirror, double heading[GRID_AXES])
{
    const struct grid *grid = &front->cone.terrain->grid;
    int place[GRID_AXES];
    grid_cell(grid, cell, place);
    int32_t own = lee_front_distance(front, cell);
    struct best best = { .distance = own };
    for (int d = 0; d < 2 * grid->dims; d++)
        consider_mirrored(front, place, direction_step[d], mirror, &best);
    int deep = grid->dims == 3;
    for (int z = -deep; z <= deep; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                if ((x != 0) + (y != 0) + (z != 0) > 1)
                    consider_mirrored(front, place, (const int[]){ x, y, z },
                                      mirror, &best);
    if (best.distance == own)
        return false;
    double way[GRID_AXES] = { best.step[0], best.step[1], best.step[2] };
    return heading_unit(way, heading);
}

void lee_front_state(struct lee_front *front, struct state *state)
{
    state_visit_steps(state, &front->emitted, 1);
    light_cone_state(&front->cone, state);
}
