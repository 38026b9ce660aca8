/* SPDX-License-Identifier: MIT */
/* From a symbol or a colour to the kind of cell: first the legend, then the
 * meanings common to all maps. Of two entries for one symbol or colour the
 * later applies. */
#ifndef HAMON_WORLD_MAPS_LEGEND_H
#define HAMON_WORLD_MAPS_LEGEND_H

#include "world/maps/map.h"

/* The meaning of each byte, NULL if it has none. */
struct legend_symbols {
    const struct legend_entry *meaning[256];
};

/* `.` `G` `S` free, `@` `O` `T` `W` blocked; entries of the legend (which may
 * be NULL, and must outlive the table) take precedence. */
void legend_symbols_init(struct legend_symbols *symbols,
                         const struct legend *legend);

/* The meaning of a colour 0xrrggbb (black wall, white free), or NULL. */
const struct legend_entry *legend_find_color(const struct legend *legend,
                                             uint32_t color);

/* Sets the cell by the entry. Fails only without memory. */
enum status legend_apply(const struct legend_entry *entry,
                         struct terrain *terrain, size_t cell,
                         struct error *error);

/* Fills the nx cells from `first` on with the meanings of `row`, of nx symbols.
 * A symbol without meaning is reported with its position, at path:line. */
enum status legend_apply_row(const struct legend_symbols *symbols,
                             const char *row, struct terrain *terrain,
                             size_t first, const char *path, int line,
                             struct error *error);

#endif
