/* SPDX-License-Identifier: MIT */
#include "pursuit/lee.h"

#include "base/memory.h"
#include "wave/arrival.h"

#include <string.h>

/* What a restart keeps beside the distances and the rim. */
struct front_state {
    int64_t emitted;
    size_t rim, queued; /* queue[rim … queued − 1] is the rim */
};

struct lee_front {
    const struct terrain *terrain;
    size_t cells;
    struct front_state state;
    int32_t *distance; /* (nz, ny, nx), −1 unreached */
    int32_t *queue;    /* cells in the order they were reached */
};

static void clear(struct lee_front *front)
{
    memset(front->distance, 0xff, front->cells * sizeof *front->distance);
    front->state = (struct front_state){ .emitted = -1 };
}

enum status lee_front_new(const struct terrain *terrain,
                          struct lee_front **front, struct error *error)
{
    struct lee_front *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->terrain = terrain;
    made->cells = grid_cells(&terrain->grid);
    made->distance = memory_new(made->cells, sizeof *made->distance);
    made->queue = memory_new(made->cells, sizeof *made->queue);
    if (!made->distance || !made->queue) {
        lee_front_release(made);
        return error_memory(error);
    }
    clear(made);
    *front = made;
    return STATUS_OK;
}

void lee_front_release(struct lee_front *front)
{
    if (!front)
        return;
    memory_release(front->distance);
    memory_release(front->queue);
    memory_release(front);
}

static void reach(struct lee_front *front, size_t cell, int32_t distance)
{
    front->distance[cell] = distance;
    front->queue[front->state.queued++] = (int32_t)cell;
}

void lee_front_emit(struct lee_front *front, size_t cell, int64_t step)
{
    clear(front);
    front->state.emitted = step;
    if (!front->terrain->wall[cell])
        reach(front, cell, 0);
}

int64_t lee_front_emitted(const struct lee_front *front)
{
    return front->state.emitted;
}

static void reach_neighbours(struct lee_front *front, size_t cell)
{
    const struct grid *grid = &front->terrain->grid;
    int at[GRID_AXES];
    grid_cell(grid, cell, at);
    for (int d = 0; d < 2 * grid->dims; d++) {
        int x = at[0] + direction_step[d][0], y = at[1] + direction_step[d][1],
            z = at[2] + direction_step[d][2];
        if (!grid_holds(grid, x, y, z))
            continue;
        size_t next = grid_index(grid, x, y, z);
        if (front->distance[next] < 0 && !front->terrain->wall[next])
            reach(front, next, front->distance[cell] + 1);
    }
}

void lee_front_step(struct lee_front *front)
{
    size_t end = front->state.queued;
    while (front->state.rim < end)
        reach_neighbours(front, (size_t)front->queue[front->state.rim++]);
}

int32_t lee_front_distance(const struct lee_front *front, size_t cell)
{
    return front->distance[cell];
}

/* The distance at a neighbour, or −1 where it cannot be stepped to: outside,
 * unreached, or behind a corner (every cell of the move's box must be free). */
static int32_t neighbour_distance(const struct lee_front *front,
                                  const int at[GRID_AXES],
                                  const int step[GRID_AXES])
{
    const struct grid *grid = &front->terrain->grid;
    if (!grid_holds(grid, at[0] + step[0], at[1] + step[1], at[2] + step[2]))
        return -1;
    for (int corner = 1; corner < 8; corner++) {
        size_t cell = grid_index(grid, at[0] + (corner & 1 ? step[0] : 0),
                                 at[1] + (corner & 2 ? step[1] : 0),
                                 at[2] + (corner & 4 ? step[2] : 0));
        if (front->terrain->wall[cell])
            return -1;
    }
    return front->distance[grid_index(grid, at[0] + step[0], at[1] + step[1],
                                      at[2] + step[2])];
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

bool lee_front_heading(const struct lee_front *front,
                       const double at[GRID_AXES], double heading[GRID_AXES])
{
    const struct grid *grid = &front->terrain->grid;
    size_t cell = grid_nearest(grid, at);
    int place[GRID_AXES];
    grid_cell(grid, cell, place);
    struct best best = { .distance = front->distance[cell] };
    for (int d = 0; d < 2 * grid->dims; d++)
        consider(front, place, direction_step[d], &best);
    int deep = grid->dims == 3;
    for (int z = -deep; z <= deep; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                if ((x != 0) + (y != 0) + (z != 0) > 1)
                    consider(front, place, (const int[]){ x, y, z }, &best);
    if (best.distance == front->distance[cell])
        return false;
    double way[GRID_AXES] = { best.step[0], best.step[1], best.step[2] };
    return heading_unit(way, heading);
}

void lee_front_state(struct lee_front *front, struct state *state)
{
    state_visit(state, &front->state, sizeof front->state);
    state_visit(state, front->distance, front->cells * sizeof(int32_t));
    state_visit(state, front->queue, front->cells * sizeof(int32_t));
}
