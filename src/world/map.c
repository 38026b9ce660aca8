/* SPDX-License-Identifier: MIT */
#include "world/map.h"

#include "world/map_formats.h"

#include <string.h>
#include <strings.h>

struct map_format {
    const char *ending;
    enum status (*read)(struct map_file *file, const struct legend *legend,
                        struct terrain *terrain, struct error *error);
};

static const struct map_format formats[] = {
    { ".map", map_octile_read },
    { ".3dmap", map_voxel_read },
    { ".png", map_png_read },
};

static const struct map_format *find_format(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length >= ending &&
            strcasecmp(path + length - ending, formats[i].ending) == 0)
            return &formats[i];
    }
    return NULL;
}

enum status map_load(const char *path, const struct legend *legend,
                     struct terrain *terrain, struct error *error)
{
    const struct map_format *format = find_format(path);
    if (!format)
        return error_at(error, STATUS_INPUT, path, 0,
                        "not a map by its name: names ending in .map, .3dmap "
                        "and .png are allowed");
    struct map_file file;
    enum status status = map_file_load(path, &file, error);
    if (status != STATUS_OK)
        return status;
    status = format->read(&file, legend, terrain, error);
    map_file_release(&file);
    return status;
}
