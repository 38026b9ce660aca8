/* SPDX-License-Identifier: MIT */
#include "draw/raster/palette.h"

#include <stdlib.h>

uint32_t palette_color(const uint8_t rgb[3])
{
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/* The slot of the colour, or the empty one for it. */
static size_t slot_of(const struct palette *palette, uint32_t color)
{
    size_t slot = (color * UINT32_C(2654435769)) >> 22; /* Knuth: 2^32/φ */
    while (palette->slot_index[slot] >= 0 && palette->slot_color[slot] != color)
        slot = (slot + 1) % PALETTE_SLOTS;
    return slot;
}

static void palette_put(struct palette *palette, uint32_t color, int index)
{
    size_t slot = slot_of(palette, color);
    palette->slot_color[slot] = color;
    palette->slot_index[slot] = (int16_t)index;
}

static int luma(uint32_t color)
{
    return (int)(2126 * (color >> 16) + 7152 * (color >> 8 & 255) +
                 722 * (color & 255));
}

int palette_darker(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (luma(x) != luma(y))
        return luma(x) < luma(y) ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void palette_clear(struct palette *palette)
{
    for (int i = 0; i < PALETTE_SLOTS; i++)
        palette->slot_index[i] = -1;
}

bool palette_collect(struct palette *palette, const struct image *image)
{
    size_t pixels = (size_t)image->width * (size_t)image->height;
    palette->count = 0;
    palette_clear(palette);
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < pixels; i++) {
        uint32_t color = palette_color(image->rgb + 3 * i);
        if (color == last)
            continue;
        last = color;
        if (palette->slot_index[slot_of(palette, color)] >= 0)
            continue;
        if (palette->count == PALETTE_MOST)
            return false;
        palette_put(palette, color, palette->count);
        palette->colors[palette->count++] = color;
    }
    qsort(palette->colors, (size_t)palette->count, sizeof *palette->colors,
          palette_darker);
    palette_clear(palette);
    for (int i = 0; i < palette->count; i++)
        palette_put(palette, palette->colors[i], i);
    return true;
}

void palette_row(const struct palette *palette, const uint8_t *rgb, int width,
                 uint8_t *indices)
{
    uint32_t last = UINT32_MAX;
    uint8_t index = 0;
    for (int x = 0; x < width; x++, rgb += 3) {
        uint32_t color = palette_color(rgb);
        if (color != last)
            index = (uint8_t)palette->slot_index[slot_of(palette, color)];
        last = color;
        indices[x] = index;
    }
}
