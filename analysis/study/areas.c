/* SPDX-License-Identifier: MIT */
#include "analysis/study/areas.h"

#include "base/memory.h"
#include "base/need.h"
#include "view/regions.h"

#include <stdio.h>

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
        const char *name = region_setting(recording, i, "name");
        struct box box;
        if (!region_setting(recording, i, "speed"))
            continue;
        if (!region_box(recording, i, &box))
            return error_set(error, STATUS_INPUT,
                             "%s: regions.[%zu].box is not a box of the map; "
                             "record the scenario again",
                             recording_path(recording), i);
        mark(&box, grid, (int32_t)areas->count, areas->of);
        char *to = areas->name[areas->count++];
        if (name)
            snprintf(to, AREA_NAME_SIZE, "%s", name);
        else
            snprintf(to, AREA_NAME_SIZE, "regions.[%zu]", i);
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
    size_t regions = region_count(recording);
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
