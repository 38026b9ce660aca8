/* SPDX-License-Identifier: MIT */
/* Colour maps: 256 colours from the low end of a scale to its high end. */
#ifndef HAMON_DRAW_COLORMAP_COLORMAP_H
#define HAMON_DRAW_COLORMAP_COLORMAP_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { COLORMAP_SIZE = 256, RAMP_NAME_SIZE = 64 };

enum colormap_kind {
    COLORMAP_SEQUENTIAL, /* from low to high */
    COLORMAP_DIVERGING,  /* two directions from a middle: signed fields */
    COLORMAP_CYCLIC,     /* the ends meet: angles */
};
extern const char *const colormap_kind_names[];

/* A compiled-in map, made from NAME.txt by tables.awk. Their licences:
 * COPYING.colormaps. */
struct colormap {
    const char *name;
    enum colormap_kind kind;
    const uint8_t (*colors)[3]; /* (COLORMAP_SIZE, rgb) */
    const char *words;          /* its purpose */
};

extern const struct colormap *const colormaps[]; /* ends with NULL */

/* The map of this name, or NULL. */
const struct colormap *colormap_find(const char *name);

/* The colours of a picture: a map, and one colour each for walls and for cells
 * without a value, which differ from every colour of the map. */
struct ramp {
    char name[RAMP_NAME_SIZE]; /* as given: "-vik", "mine.txt" */
    uint8_t colors[COLORMAP_SIZE][3];
    uint8_t wall[3], missing[3];
};

/* `name` is that of a compiled-in map or, if there is none of this name, of a
 * text file; a leading `-` reverses the map. The file has a colour in each row,
 * `r g b` and perhaps an alpha, which is ignored, either all within 0 … 1 or
 * all within 0 … 255, or `#rrggbb`. Any other `#` starts a comment. It needs at
 * least two rows of one kind; they are spread evenly over the scale and
 * interpolated. Errors are STATUS_INPUT as `file:line: what`. */
enum status ramp_load(const char *name, struct ramp *ramp, struct error *error);

#endif
