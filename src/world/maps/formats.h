/* SPDX-License-Identifier: MIT */
/* The map formats, one file each; map_load chooses. */
#ifndef HAMON_WORLD_MAPS_FORMATS_H
#define HAMON_WORLD_MAPS_FORMATS_H

#include "world/maps/file.h"
#include "world/maps/map.h"

/* `grid` reads and checks the data that determine the grid; `cells` fills a
 * terrain of that grid, all free before. Errors begin with file->path. */
struct map_format {
    const char *ending;
    enum status (*grid)(struct map_file *file, struct grid *grid,
                        struct error *error);
    enum status (*cells)(struct map_file *file, const struct legend *legend,
                         struct terrain *terrain, struct error *error);
};
extern const struct map_format map_octile, map_voxel, map_png;

/* Fills terrain on success only. */
enum status map_read(const struct map_format *format, struct map_file *file,
                     const struct legend *legend, struct terrain *terrain,
                     struct error *error);

#endif
