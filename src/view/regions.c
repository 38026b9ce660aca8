/* SPDX-License-Identifier: MIT */
#include "view/regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *region_setting(const struct recording *recording, size_t i,
                           const char *leaf)
{
    char key[64];
    snprintf(key, sizeof key, "regions.[%zu].%.16s", i, leaf);
    return recording_setting(recording, key);
}

size_t region_count(const struct recording *recording)
{
    size_t count = 0;
    while (region_setting(recording, count, "box"))
        count++;
    return count;
}

/* "[x0, y0, x1, y1]", in 3D with z0 and z1. */
bool region_box(const struct recording *recording, size_t i, struct box *box)
{
    const struct grid *grid = recording_grid(recording);
    const char *text = region_setting(recording, i, "box");
    const struct box whole = grid_box(grid);
    int axes = grid_axes(grid);
    *box = (struct box){ 0 };
    for (int k = 0; k < 2 * axes && text; k++) {
        int axis = k % axes;
        char *end;
        if (*text != (k ? ',' : '['))
            return false;
        long place = strtol(text + 1, &end, 10);
        if (end == text + 1 || place < 0 || place > whole.high[axis])
            return false;
        if (k >= axes && place < box->low[axis])
            return false;
        (k < axes ? box->low : box->high)[axis] = (int)place;
        text = end;
    }
    return text && strcmp(text, "]") == 0;
}
