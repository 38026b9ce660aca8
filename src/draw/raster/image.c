/* SPDX-License-Identifier: MIT */
#include "draw/raster/image.h"

#include "base/memory.h"
#include "base/need.h"

#include <string.h>

enum status image_init(struct image *image, int64_t width, int64_t height,
                       struct error *error)
{
    if (width < 1 || height < 1 || width > IMAGE_MAX_SIDE ||
        height > IMAGE_MAX_SIDE)
        return error_set(error, STATUS_INPUT,
                         "a picture of %lld by %lld pixels: each side may have "
                         "1 to %d; use a smaller scale",
                         (long long)width, (long long)height, IMAGE_MAX_SIDE);
    size_t pixels;
    uint8_t *rgb = NULL;
    if (size_multiply((size_t)width, (size_t)height, &pixels))
        rgb = need_memory(pixels, 3);
    *image = (struct image){ (int)width, (int)height, rgb };
    return STATUS_OK;
}

void image_release(struct image *image)
{
    memory_release(image->rgb);
    *image = (struct image){ 0 };
}

static int clip(int64_t value, int most)
{
    return value < 0 ? 0 : value > most ? most : (int)value;
}

void image_fill(struct image *image, int left, int top, int width, int height,
                const uint8_t color[3])
{
    int right = clip((int64_t)left + width, image->width);
    int bottom = clip((int64_t)top + height, image->height);
    left = clip(left, image->width);
    for (int y = clip(top, image->height); y < bottom; y++)
        for (int x = left; x < right; x++)
            memcpy(image_at(image, x, y), color, 3);
}
