/* SPDX-License-Identifier: MIT */
/* The readers of the map formats, one file each; map_load chooses. Each fills
 * terrain on success only and heads its errors with file->path. */
#ifndef HAMON_WORLD_MAP_FORMATS_H
#define HAMON_WORLD_MAP_FORMATS_H

#include "world/map.h"
#include "world/map_file.h"

enum status map_octile_read(struct map_file *file, const struct legend *legend,
                            struct terrain *terrain, struct error *error);

/* The legend has nothing to say here: voxels are free or blocked. */
enum status map_voxel_read(struct map_file *file, const struct legend *legend,
                           struct terrain *terrain, struct error *error);

enum status map_png_read(struct map_file *file, const struct legend *legend,
                         struct terrain *terrain, struct error *error);

#endif
