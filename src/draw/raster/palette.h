/* SPDX-License-Identifier: MIT */
/* The distinct colours of a picture, if they are few. */
#ifndef HAMON_DRAW_RASTER_PALETTE_H
#define HAMON_DRAW_RASTER_PALETTE_H

#include "draw/raster/image.h"

#include <stdbool.h>

enum {
    PALETTE_MOST = 256,
    /* Of the table of colours: a power of two, at most a quarter full. */
    PALETTE_SLOTS = 1024,
};

struct palette {
    uint32_t colors[PALETTE_MOST]; /* 0xrrggbb, from dark to light */
    int count;
    uint32_t slot_color[PALETTE_SLOTS];
    int16_t slot_index[PALETTE_SLOTS]; /* −1: empty */
};

/* 0xrrggbb; and a comparison for qsort. */
uint32_t palette_color(const uint8_t rgb[3]);
int palette_darker(const void *a, const void *b);

/* Collects the colours; false, with undefined content, if there are more than
 * PALETTE_MOST. */
bool palette_collect(struct palette *palette, const struct image *image);

/* The indices of a row of `width` pixels whose colours were collected. */
void palette_row(const struct palette *palette, const uint8_t *rgb, int width,
                 uint8_t *indices);

#endif
