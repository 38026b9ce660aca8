/* SPDX-License-Identifier: MIT */
#include "world/terrain.h"

#include "base/crc32c.h"
#include "base/memory.h"

#include <stddef.h>
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

const struct terrain_array terrain_arrays[TERRAIN_ARRAYS] = {
    [TERRAIN_WALL] = { "wall", sizeof(uint8_t),
                       offsetof(struct terrain, wall) },
    [TERRAIN_SPEED] = { "speed", sizeof(double),
                        offsetof(struct terrain, speed) },
    [TERRAIN_COST] = { "cost", sizeof(double), offsetof(struct terrain, cost) },
    [TERRAIN_ONE_WAY] = { "one_way", sizeof(uint8_t),
                          offsetof(struct terrain, one_way) },
};

void *terrain_array_at(const struct terrain *terrain, int which)
{
    void *array; /* the pointers are of several types */
    memcpy(&array, (const char *)terrain + terrain_arrays[which].offset,
           sizeof array);
    return array;
}

static void set_array(struct terrain *terrain, int which, void *array)
{
    memcpy((char *)terrain + terrain_arrays[which].offset, &array,
           sizeof array);
}

void *terrain_array_usual(int which, size_t cells)
{
    void *made = memory_new(cells, terrain_arrays[which].width);
    if (made && (which == TERRAIN_SPEED || which == TERRAIN_COST))
        for (size_t i = 0; i < cells; i++)
            ((double *)made)[i] = 1;
    return made;
}

enum status terrain_checksum(const void *const arrays[TERRAIN_ARRAYS],
                             size_t cells, uint32_t *sum, struct error *error)
{
    *sum = 0;
    for (int i = 0; i < TERRAIN_ARRAYS; i++) {
        void *usual = arrays[i] ? NULL : terrain_array_usual(i, cells);
        if (!arrays[i] && !usual)
            return error_memory(error);
        *sum = crc32c(*sum, arrays[i] ? arrays[i] : usual,
                      cells * terrain_arrays[i].width);
        memory_release(usual);
    }
    return STATUS_OK;
}

void terrain_release(struct terrain *terrain)
{
    for (int which = 0; which < TERRAIN_ARRAYS; which++)
        memory_release(terrain_array_at(terrain, which));
    *terrain = (struct terrain){ 0 };
}

enum status terrain_blank(struct terrain *terrain, const struct grid *grid,
                          const bool has[TERRAIN_ARRAYS], struct error *error)
{
    struct terrain made = { .grid = *grid };
    bool good = true;
    for (int which = 0; which < TERRAIN_ARRAYS; which++) {
        void *array = NULL;
        if (has[which]) {
            array = memory_new(grid_cells(grid), terrain_arrays[which].width);
            good = good && array;
        }
        set_array(&made, which, array);
    }
    if (!good) {
        terrain_release(&made);
        return error_memory(error);
    }
    *terrain = made;
    return STATUS_OK;
}

/* Pages that contain only 0 are not written: an open map of 10^9 cells consists
 * mostly of such pages, and untouched pages take no memory. */
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

/* *cut = the cells of an array that lie in the box, or NULL if there is no such
 * array. False if there is no memory. */
static bool cut_array(const struct grid *grid, const struct box *box,
                      const void *from, size_t size, void **cut)
{
    const int *low = box->low, *high = box->high;
    size_t width = box_width(box, 0) * size;
    *cut = NULL;
    if (!from)
        return true;
    char *to = *cut = memory_new(box_cells(box), size);
    for (int z = low[2]; to && z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++, to += width)
            copy_pages(
                to, (const char *)from + grid_index(grid, low[0], y, z) * size,
                width);
    return *cut != NULL;
}

enum status terrain_cut(const struct terrain *from, const struct box *box,
                        struct terrain *to, struct error *error)
{
    const struct grid *grid = &from->grid;
    struct terrain cut = { .grid = box_grid(box, grid->dims) };
    bool done = true;
    for (int which = 0; which < TERRAIN_ARRAYS && done; which++) {
        void *array;
        done = cut_array(grid, box, terrain_array_at(from, which),
                         terrain_arrays[which].width, &array);
        set_array(&cut, which, array);
    }
    if (!done) {
        terrain_release(&cut);
        return error_memory(error);
    }
    *to = cut;
    return STATUS_OK;
}

enum status terrain_copy(const struct terrain *from, struct terrain *to,
                         struct error *error)
{
    struct box all = grid_box(&from->grid);
    return terrain_cut(from, &all, to, error);
}

enum status terrain_prepare(struct terrain *terrain,
                            enum terrain_change_kind kind, struct error *error)
{
    static const int arrays[] = {
        [CHANGE_WALL] = TERRAIN_WALL,       [CHANGE_FREE] = TERRAIN_WALL,
        [CHANGE_SPEED] = TERRAIN_SPEED,     [CHANGE_COST] = TERRAIN_COST,
        [CHANGE_ONE_WAY] = TERRAIN_ONE_WAY,
    };
    int which = arrays[kind];
    if (terrain_array_at(terrain, which))
        return STATUS_OK;
    void *made = terrain_array_usual(which, grid_cells(&terrain->grid));
    set_array(terrain, which, made);
    return made ? STATUS_OK : error_memory(error);
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
