/* SPDX-License-Identifier: MIT */
/* .map and .3dmap files, read from memory: each input by both readers. */
#include "target.h"

#include "world/maps/formats.h"

#include <stdlib.h>
#include <string.h>

/* A reader accepts extents before it has seen the cells: a byte for each cell,
 * up to 2 GiB by design. Larger maps are left out, because they take the fuzzer
 * too much time. */
static bool is_large(char *bytes, size_t size)
{
    struct map_file file = { .path = "a.3dmap", .bytes = bytes, .size = size };
    struct map_line line, rest;
    int64_t extents[GRID_AXES];
    if (!map_file_line(&file, &line) ||
        !map_line_starts(&line, "voxel", &rest) ||
        !map_line_numbers(&rest, GRID_AXES, extents))
        return false;
    double cells = (double)extents[0] * (double)extents[1] * (double)extents[2];
    return cells > 1 << 18 && cells <= INT32_MAX;
}

static void read_by(const struct map_format *format, const char *path,
                    char *bytes, size_t size)
{
    struct map_file file = { .path = path, .bytes = bytes, .size = size };
    struct terrain terrain;
    struct error error = { 0 };
    enum status status = map_read(format, &file, NULL, &terrain, &error);
    hold_to_word(status, &error, path);
    if (status == STATUS_OK)
        terrain_release(&terrain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + !size);
    if (!bytes)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    read_by(&map_octile, "a.map", bytes, size);
    if (!is_large(bytes, size))
        read_by(&map_voxel, "a.3dmap", bytes, size);
    free(bytes);
    return 0;
}
