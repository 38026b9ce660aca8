/* SPDX-License-Identifier: MIT */
/* PNG maps, read from memory, with a legend that gives a colour a meaning. */
#include "target.h"

#include "world/maps/formats.h"

#include <stdlib.h>
#include <string.h>

/* Maps of more pixels are left out: white rows compress to almost nothing, and
 * the fuzzer would spend its time on them. */
enum { PIXELS_MOST = 1 << 12, EXTENTS_AT = 16 };

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct legend_entry entries[] = {
        { .by_color = true, .color = 0x808080, .speed = .5, .cost = 2 },
        { .by_color = true,
          .color = 0xff0000,
          .speed = 1,
          .cost = 1,
          .one_way = 1 },
    };
    struct legend legend = { entries, sizeof entries / sizeof *entries };
    if (size >= EXTENTS_AT + 8 &&
        (uint64_t)big_endian(data + EXTENTS_AT) *
                big_endian(data + EXTENTS_AT + 4) >
            PIXELS_MOST &&
        (uint64_t)big_endian(data + EXTENTS_AT) *
                big_endian(data + EXTENTS_AT + 4) <=
            INT32_MAX)
        return 0;
    char *bytes = malloc(size + !size);
    if (!bytes)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    struct map_file file = { .path = "a.png", .bytes = bytes, .size = size };
    struct terrain terrain;
    struct error error = { 0 };
    enum status status = map_read(&map_png, &file, &legend, &terrain, &error);
    hold_to_word(status, &error, "a.png");
    if (status == STATUS_OK)
        terrain_release(&terrain);
    free(bytes);
    return 0;
}
