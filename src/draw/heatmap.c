/* SPDX-License-Identifier: MIT */
#include "draw/heatmap.h"

#include <math.h>
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

void heatmap_paint_slanted(const struct plane *plane, const struct scale *scale,
                           const struct ramp *ramp, struct image *image,
                           const double origin[2], const double right[2],
                           const double down[2])
{
    double area = right[0] * down[1] - right[1] * down[0];
    double low = fmin(0, fmin(plane->nx * right[1], plane->ny * down[1]));
    double high = fmax(plane->nx * right[1] + plane->ny * down[1],
                       fmax(plane->nx * right[1], plane->ny * down[1]));
    int top = (int)fmax(floor(origin[1] + low), 0);
    int bottom = (int)fmin(ceil(origin[1] + high), image->height);
    for (int y = top; y < bottom; y++)
        for (int x = 0; x < image->width; x++) {
            double px = x + .5 - origin[0], py = y + .5 - origin[1];
            double column = floor((px * down[1] - py * down[0]) / area);
            double row = floor((right[0] * py - right[1] * px) / area);
            if (!(column >= 0 && column < plane->nx && row >= 0 &&
                  row < plane->ny))
                continue;
            size_t i = (size_t)row * (size_t)plane->nx + (size_t)column;
            memcpy(image_at(image, x, y), cell_color(plane, i, scale, ramp), 3);
        }
}
