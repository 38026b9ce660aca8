/* SPDX-License-Identifier: MIT */
/* Readers of map files and of rows in a scenario.
 *
 *   .map    "type octile", "height H", "width W", "map", H rows (LF or CRLF);
 *           `.` `G` `S` free, `@` `O` `T` `W` blocked (Sturtevant 2012)
 *   .3dmap  "voxel X Y Z", then a line "x y z" for each blocked cell
 *   .png    black is wall, white is free, other colours by the legend
 *
 * A .png may have any depth and colour type, its pixels must be opaque.
 * Endings count in either case.
 *
 * Every fault of a file is STATUS_INPUT with `file:line: what, what is allowed`
 * (a PNG has a pixel instead of a line). Files over 1 GiB are refused, and no
 * size is believed before it is checked: .map and .png take no memory for more
 * than the file can hold, .3dmap a byte a cell of the extents it states. */
#ifndef HAMON_WORLD_MAPS_MAP_H
#define HAMON_WORLD_MAPS_MAP_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdint.h>

/* What a symbol of rows and .map files, or a colour of a PNG, stands for. An
 * entry goes before the format's own meaning, a later entry before an earlier
 * one. */
struct legend_entry {
    bool by_color;
    uint32_t color; /* 0xrrggbb, where by_color */
    char symbol;    /* else */
    bool wall;
    double speed; /* 1 where nothing is said; > 0 */
    double cost;  /* likewise */
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
 * `layers` of `height` strings, all equally long; dims 3 where layers > 0,
 * and 2 where layers is 0 (one layer of `height` rows). `file` and `line`
 * head the errors. */
enum status map_from_rows(const char *const *rows, int layers, int height,
                          const struct legend *legend, const char *file,
                          int line, struct terrain *terrain,
                          struct error *error);

#endif
