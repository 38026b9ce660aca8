/* SPDX-License-Identifier: MIT */
/* Readers of map files and of rows in a scenario.
 *
 *   .map    "type octile", "height H", "width W", "map", H rows (LF or CRLF);
 *           `.` `G` `S` free, `@` `O` `T` `W` blocked (Sturtevant 2012)
 *   .3dmap  "voxel X Y Z", then a line "x y z" for each blocked cell
 *   .png    black is wall, white is free, other colours by the legend
 *
 * A .png may have any depth and colour type; its pixels must be opaque. Endings
 * may be in upper or lower case.
 *
 * Every error in a file is STATUS_INPUT with `file:line: what, what is allowed`
 * (a PNG has a pixel instead of a line). Files over 1 GiB are rejected, and
 * every size is checked before it is used: .map and .png allocate no more than
 * the file can contain, .3dmap a byte for each cell of its stated extents. */
#ifndef HAMON_WORLD_MAPS_MAP_H
#define HAMON_WORLD_MAPS_MAP_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdint.h>

/* The meaning of a symbol of rows and .map files, or of a colour of a PNG. An
 * entry takes precedence over the format's own meaning, a later entry over an
 * earlier one. */
struct legend_entry {
    bool by_color;
    uint32_t color; /* 0xrrggbb, if by_color */
    char symbol;    /* else */
    bool wall;
    double speed; /* 1 if not given; > 0 */
    double cost;  /* the same */
    int one_way;  /* 0 none, else 1 + enum direction */
};

struct legend {
    struct legend_entry *entries;
    size_t count;
};

/* Reads the map file by its ending. legend may be NULL. terrain is filled on
 * success only. */
enum status map_load(const char *path, const struct legend *legend,
                     struct terrain *terrain, struct error *error);

/* The same meanings from rows of text in a scenario: rows[layer * ny + y],
 * `layers` of `height` strings, all equally long; dims is 3 if layers > 0, and
 * 2 if layers is 0 (one layer of `height` rows). Errors begin with `file` and
 * `line`. */
enum status map_from_rows(const char *const *rows, int layers, int height,
                          const struct legend *legend, const char *file,
                          int line, struct terrain *terrain,
                          struct error *error);

#endif
