/* SPDX-License-Identifier: MIT */
#include "world/maps/map.h"

#include "world/maps/formats.h"

#include <string.h>
#include <strings.h>

static const struct map_format *const formats[] = { &map_octile, &map_voxel,
                                                    &map_png };

static const struct map_format *find_format(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t ending = strlen(formats[i]->ending);
        if (length >= ending &&
            strcasecmp(path + length - ending, formats[i]->ending) == 0)
            return formats[i];
    }
    return NULL;
}

enum status map_read(const struct map_format *format, struct map_file *file,
                     const struct legend *legend, struct terrain *terrain,
                     struct error *error)
{
    struct grid grid;
    struct terrain made = { .wall = NULL };
    enum status status = format->grid(file, &grid, error);
    if (!status)
        status = terrain_init(&made, &grid, error);
    if (!status)
        status = format->cells(file, legend, &made, error);
    if (status)
        terrain_release(&made);
    else
        *terrain = made;
    return status;
}

enum status map_load(const char *path, const struct legend *legend,
                     struct terrain *terrain, struct error *error)
{
    const struct map_format *format = find_format(path);
    if (!format)
        return error_at(error, STATUS_INPUT, path, 0,
                        "its name is not a map's: names ending in .map, .3dmap "
                        "and .png are allowed");
    struct map_file file;
    enum status status = map_file_load(path, "map", &file, error);
    if (status)
        return status;
    status = map_read(format, &file, legend, terrain, error);
    map_file_release(&file);
    return status;
}
