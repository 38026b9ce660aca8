/* SPDX-License-Identifier: MIT */
#include "draw/heatmap.h"

#include <string.h>

static const uint8_t *cell_color(const struct plane *plane, size_t i,
                                 const struct scale *scale,
                                 const struct ramp *ramp)
{
    if (plane->wall && plane->wall[i])
        return ramp->wall;
    int level = scale_level(scale, plane->values[i]);
    return level < 0 ? ramp->missing : ramp->colors[level];
}

void heatmap_paint(const struct plane *plane, const struct scale *scale,
                   const struct ramp *ramp, int cell, struct image *image,
                   int left, int top)
{
    size_t bytes = 3 * (size_t)plane->nx * (size_t)cell;
    for (int y = 0; y < plane->ny; y++) {
        uint8_t *first = image_at(image, left, top + y * cell), *to = first;
        for (int x = 0; x < plane->nx; x++) {
            size_t i = (size_t)y * (size_t)plane->nx + (size_t)x;
            const uint8_t *color = cell_color(plane, i, scale, ramp);
            for (int k = 0; k < cell; k++, to += 3)
                memcpy(to, color, 3);
        }
        for (int k = 1; k < cell; k++)
            memcpy(image_at(image, left, top + y * cell + k), first, bytes);
    }
}
