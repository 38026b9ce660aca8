/* SPDX-License-Identifier: MIT */
/* From a symbol or a colour to what the cell is: the legend first, then the
 * meanings that every map shares. Of two entries for one symbol or colour the
 * later counts. */
#ifndef HAMON_WORLD_MAPS_LEGEND_H
#define HAMON_WORLD_MAPS_LEGEND_H

#include "world/maps/map.h"

/* The meaning of each byte, NULL where it has none. */
struct legend_symbols {
    const struct legend_entry *meaning[256];
};

/* `.` `G` `S` free, `@` `O` `T` `W` blocked, and the legend (which may be NULL,
 * and must outlive the table) before those. */
void legend_symbols_init(struct legend_symbols *symbols,
                         const struct legend *legend);

/* The meaning of a colour 0xrrggbb (black wall, white free), or NULL. */
const struct legend_entry *legend_find_color(const struct legend *legend,
                                             uint32_t color);

/* Makes the cell what the entry says. Fails without memory only. */
enum status legend_apply(const struct legend_entry *entry,
                         struct terrain *terrain, size_t cell,
                         struct error *error);

/* Fills the nx cells from `first` on with the meanings of `row`, of nx
 * symbols. A symbol without meaning is told with its position, at path:line. */
enum status legend_apply_row(const struct legend_symbols *symbols,
                             const char *row, struct terrain *terrain,
                             size_t first, const char *path, int line,
                             struct error *error);

#endif
