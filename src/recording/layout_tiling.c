/* SPDX-License-Identifier: MIT */
#include "recording/layout.h"

#include <stdio.h>

struct tiling layout_tiling(const struct layout_item *item)
{
    const struct variable *variable = &item->variable;
    bool rows = item->entry->role == ROLE_ROWS;
    struct tiling tiling = {
        .rows = rows ? variable->extent[0] : 1,
        .extent = { 1, 1, 1 },
        .tile = { 1, 1, 1 },
        .tiles = 1,
        .element = element_bytes(variable->type),
    };
    tiling.bytes = tiling.element;
    int space = variable->rank - rows;
    for (int i = 0; i < space; i++) {
        int axis = GRID_AXES - space + i;
        tiling.extent[axis] = (size_t)variable->extent[i + rows];
        tiling.tile[axis] = (size_t)item->chunk[i + rows];
    }
    for (int axis = 0; axis < GRID_AXES; axis++) {
        size_t tile = tiling.tile[axis];
        tiling.count[axis] = (tiling.extent[axis] + tile - 1) / tile;
        tiling.tiles *= tiling.count[axis];
        tiling.bytes *= tile;
    }
    return tiling;
}

const struct layout_item *layout_places(const struct layout *layout,
                                        const struct layout_item *item)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "chunk/%.56s", item->variable.name);
    return layout_find(layout, name);
}
