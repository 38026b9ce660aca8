/* SPDX-License-Identifier: MIT */
/* .map files, read from memory. */
#include "target.h"

#include "world/map_formats.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + !size);
    if (!bytes)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    struct map_file file = { .path = "a.map", .bytes = bytes, .size = size };
    struct terrain terrain;
    struct error error = { 0 };
    enum status status = map_octile_read(&file, NULL, &terrain, &error);
    hold_to_word(status, &error, "a.map");
    if (status == STATUS_OK)
        terrain_release(&terrain);
    free(bytes);
    return 0;
}
