/* SPDX-License-Identifier: MIT */
/* .3dmap files, read from memory. */
#include "target.h"

#include "world/map_formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Extents are believed before the cells are: a byte a cell, up to 2 GiB by
 * design. More than the fuzzer has time for is left out. */
static int is_large(const uint8_t *data, size_t size)
{
    char head[128] = "";
    double x, y, z;
    memcpy(head, data, size < sizeof head - 1 ? size : sizeof head - 1);
    return sscanf(head, "voxel %lf %lf %lf", &x, &y, &z) == 3 &&
           x * y * z > 1 << 20 && x * y * z < 1e10;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && is_large(data, size))
        return 0;
    char *bytes = malloc(size + !size);
    if (!bytes)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    struct map_file file = { .path = "a.3dmap", .bytes = bytes, .size = size };
    struct terrain terrain;
    struct error error = { 0 };
    enum status status = map_voxel_read(&file, NULL, &terrain, &error);
    hold_to_word(status, &error, "a.3dmap");
    if (status == STATUS_OK)
        terrain_release(&terrain);
    free(bytes);
    return 0;
}
