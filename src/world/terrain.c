/* SPDX-License-Identifier: MIT */
#include "world/terrain.h"

#include "base/memory.h"

#include <string.h>

enum status terrain_init(struct terrain *terrain, const struct grid *grid,
                         struct error *error)
{
    uint8_t *wall = memory_new(grid_cells(grid), sizeof *wall);
    if (!wall)
        return error_memory(error);
    *terrain = (struct terrain){ .grid = *grid, .wall = wall };
    return STATUS_OK;
}

void terrain_release(struct terrain *terrain)
{
    memory_release(terrain->wall);
    memory_release(terrain->speed);
    memory_release(terrain->cost);
    memory_release(terrain->one_way);
    *terrain = (struct terrain){ 0 };
}

/* Pages that hold nothing but 0 are left as they came: an open map of a
 * thousand million cells is mostly such, and they take no memory. */
static void copy_pages(char *to, const char *from, size_t bytes)
{
    enum { PAGE = 4096 };
    static const char nothing[PAGE];
    for (size_t at = 0, now; at < bytes; at += now) {
        now = bytes - at < PAGE ? bytes - at : PAGE;
        if (memcmp(from + at, nothing, now) != 0)
            memcpy(to + at, from + at, now);
    }
}

/* *copy = a copy of `from`, or NULL where that is NULL; false without memory.
 */
static bool copy_array(const void *from, size_t count, size_t size, void **copy)
{
    *copy = NULL;
    if (!from)
        return true;
    *copy = memory_new(count, size);
    if (*copy)
        copy_pages(*copy, from, count * size);
    return *copy != NULL;
}

enum status terrain_copy(const struct terrain *from, struct terrain *to,
                         struct error *error)
{
    size_t cells = grid_cells(&from->grid);
    void *wall = NULL, *speed = NULL, *cost = NULL, *one_way = NULL;
    bool copied =
        copy_array(from->wall, cells, sizeof *from->wall, &wall) &&
        copy_array(from->speed, cells, sizeof *from->speed, &speed) &&
        copy_array(from->cost, cells, sizeof *from->cost, &cost) &&
        copy_array(from->one_way, cells, sizeof *from->one_way, &one_way);
    struct terrain copy = { from->grid, wall, speed, cost, one_way };
    if (!copied) {
        terrain_release(&copy);
        return error_memory(error);
    }
    *to = copy;
    return STATUS_OK;
}

/* *cut = those of an array's cells that lie in the box, or NULL where there is
 * no array; false without memory. */
static bool cut_array(const struct grid *grid, const struct box *box,
                      const void *from, size_t size, void **cut)
{
    const int *low = box->low, *high = box->high;
    size_t width = (size_t)(high[0] - low[0] + 1) * size;
    size_t rows =
        (size_t)(high[1] - low[1] + 1) * (size_t)(high[2] - low[2] + 1);
    *cut = NULL;
    if (!from)
        return true;
    char *to = *cut = memory_new(rows, width);
    for (int z = low[2]; to && z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++, to += width)
            memcpy(to,
                   (const char *)from + grid_index(grid, low[0], y, z) * size,
                   width);
    return *cut != NULL;
}

enum status terrain_cut(const struct terrain *from, const struct box *box,
                        struct terrain *to, struct error *error)
{
    const struct grid *grid = &from->grid;
    void *wall = NULL, *speed = NULL, *cost = NULL, *one_way = NULL;
    bool done =
        cut_array(grid, box, from->wall, sizeof *from->wall, &wall) &&
        cut_array(grid, box, from->speed, sizeof *from->speed, &speed) &&
        cut_array(grid, box, from->cost, sizeof *from->cost, &cost) &&
        cut_array(grid, box, from->one_way, sizeof *from->one_way, &one_way);
    struct terrain cut = {
        .grid = { .dims = grid->dims,
                  .nx = box->high[0] - box->low[0] + 1,
                  .ny = box->high[1] - box->low[1] + 1,
                  .nz = box->high[2] - box->low[2] + 1 },
        .wall = wall,
        .speed = speed,
        .cost = cost,
        .one_way = one_way,
    };
    if (!done) {
        terrain_release(&cut);
        return error_memory(error);
    }
    *to = cut;
    return STATUS_OK;
}

static enum status prepare_ones(double **array, size_t cells,
                                struct error *error)
{
    if (*array)
        return STATUS_OK;
    double *ones = memory_new(cells, sizeof *ones);
    if (!ones)
        return error_memory(error);
    for (size_t i = 0; i < cells; i++)
        ones[i] = 1;
    *array = ones;
    return STATUS_OK;
}

enum status terrain_prepare(struct terrain *terrain,
                            enum terrain_change_kind kind, struct error *error)
{
    size_t cells = grid_cells(&terrain->grid);
    switch (kind) {
    case CHANGE_SPEED:
        return prepare_ones(&terrain->speed, cells, error);
    case CHANGE_COST:
        return prepare_ones(&terrain->cost, cells, error);
    case CHANGE_ONE_WAY:
        if (!terrain->one_way)
            terrain->one_way = memory_new(cells, sizeof *terrain->one_way);
        return terrain->one_way ? STATUS_OK : error_memory(error);
    case CHANGE_WALL:
    case CHANGE_FREE:
        break; /* `wall` is always there */
    }
    return STATUS_OK;
}

static void change_cell(struct terrain *terrain,
                        const struct terrain_change *change, size_t cell)
{
    switch (change->kind) {
    case CHANGE_WALL:
        terrain->wall[cell] = 1;
        break;
    case CHANGE_FREE:
        terrain->wall[cell] = 0;
        break;
    case CHANGE_SPEED:
        terrain->speed[cell] = change->value;
        break;
    case CHANGE_COST:
        terrain->cost[cell] = change->value;
        break;
    case CHANGE_ONE_WAY:
        terrain->one_way[cell] = (uint8_t)(1 + change->direction);
        break;
    }
}

void terrain_apply(struct terrain *terrain, const struct terrain_change *change)
{
    const int *low = change->box.low, *high = change->box.high;
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                change_cell(terrain, change,
                            grid_index(&terrain->grid, x, y, z));
}

size_t terrain_flood(const struct terrain *terrain, size_t from,
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
