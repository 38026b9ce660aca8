/* SPDX-License-Identifier: MIT */
/* A picture in memory. All drawing goes into one; it is written as a PNG with a
 * palette or with 24 bits. */
#ifndef HAMON_DRAW_RASTER_IMAGE_H
#define HAMON_DRAW_RASTER_IMAGE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The longest side a PNG may have in libpng's default limits. */
enum { IMAGE_MAX_SIDE = 1000000 };

struct image {
    int width, height;
    uint8_t *rgb; /* (height, width, 3), row 0 at the top */
};

/* All black. STATUS_INPUT if a side is below 1 or over IMAGE_MAX_SIDE. Release
 * with image_release. */
enum status image_init(struct image *image, int64_t width, int64_t height,
                       struct error *error);
void image_release(struct image *image);

static inline uint8_t *image_at(const struct image *image, int x, int y)
{
    return image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
}

/* Fills the rectangle of `width` × `height` pixels from (left, top); the part
 * outside the picture is omitted. */
void image_fill(struct image *image, int left, int top, int width, int height,
                const uint8_t color[3]);

#endif
