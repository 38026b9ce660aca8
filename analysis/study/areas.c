/* SPDX-License-Identifier: MIT */
#include "analysis/study/areas.h"

#include "base/memory.h"
#include "base/need.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The setting of the i-th region, or NULL. */
static const char *region_setting(const struct recording *recording, size_t i,
                                  const char *leaf)
{
    char key[AREA_NAME_SIZE + 16];
    snprintf(key, sizeof key, "regions.[%zu].%s", i, leaf);
    return recording_setting(recording, key);
}

/* "[x0, y0, x1, y1]", in 3D with z0 and z1, as a box of the map. */
static bool read_box(const char *text, const struct grid *grid, struct box *box)
{
    int axes = grid_axes(grid);
    const struct box whole = grid_box(grid);
    *box = (struct box){ 0 };
    for (int i = 0; i < 2 * axes; i++) {
        int axis = i % axes;
        char *end;
        if (*text != (i ? ',' : '['))
            return false;
        long place = strtol(text + 1, &end, 10);
        if (end == text + 1 || place < 0 || place > whole.high[axis])
            return false;
        if (i >= axes && place < box->low[axis])
            return false;
        (i < axes ? box->low : box->high)[axis] = (int)place;
        text = end;
    }
    return strcmp(text, "]") == 0;
}

static void mark(const struct box *box, const struct grid *grid, int32_t number,
                 int32_t *of)
{
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++)
                of[grid_index(grid, x, y, z)] = number;
}

static enum status add_regions(struct areas *areas, size_t regions,
                               const struct recording *recording,
                               const struct grid *grid, struct error *error)
{
    for (size_t i = 0; i < regions; i++) {
        const char *text = region_setting(recording, i, "box");
        struct box box;
        if (!region_setting(recording, i, "speed"))
            continue;
        if (!text || !read_box(text, grid, &box))
            return error_set(error, STATUS_INPUT,
                             "%s: regions.[%zu].box is not a box of the map; "
                             "record the scenario again",
                             recording_path(recording), i);
        mark(&box, grid, (int32_t)areas->count, areas->of);
        snprintf(areas->name[areas->count++], AREA_NAME_SIZE, "regions.[%zu]",
                 i);
    }
    return STATUS_OK;
}

static void add_rest(struct areas *areas, const struct terrain *terrain)
{
    bool any = false;
    for (size_t i = 0; terrain->speed && i < grid_cells(&terrain->grid); i++)
        if (!areas->of[i] && !terrain->wall[i] &&
            (terrain->speed[i] < 1 || terrain->speed[i] > 1)) {
            areas->of[i] = (int32_t)areas->count;
            any = true;
        }
    if (any)
        snprintf(areas->name[areas->count++], AREA_NAME_SIZE, "map.legend");
}

enum status areas_read(struct areas *areas, const struct recording *recording,
                       const struct terrain *terrain, struct error *error)
{
    size_t regions = 0;
    while (region_setting(recording, regions, "box"))
        regions++;
    *areas = (struct areas){
        .count = 1,
        .name = need_memory(regions + 2, sizeof *areas->name),
        .of = need_memory(grid_cells(&terrain->grid), sizeof *areas->of),
    };
    snprintf(areas->name[0], AREA_NAME_SIZE, "elsewhere");
    enum status status =
        add_regions(areas, regions, recording, &terrain->grid, error);
    if (!status)
        add_rest(areas, terrain);
    return status;
}

void areas_release(struct areas *areas)
{
    memory_release(areas->name);
    memory_release(areas->of);
    *areas = (struct areas){ 0 };
}
