/* SPDX-License-Identifier: MIT */
/* The words of the drawing options, read. */
#ifndef HAMON_TOOLS_DRAWING_PARSE_H
#define HAMON_TOOLS_DRAWING_PARSE_H

#include "drawing.h"

/* Everything of picture_options but layers, cell and em; `map` gets the colour
 * map's name. The agents' names are borrowed. */
enum status drawing_options_make(const struct drawing *asked, char *map,
                                 size_t map_size,
                                 struct picture_options *options,
                                 struct error *error);
enum status drawing_figure(const struct drawing *asked,
                           struct figure_options *figure, struct error *error);

/* The one plane that --at names, or the projection. */
enum status drawing_place(const struct drawing *asked,
                          const struct place_range places[AT_KEYS],
                          struct view_place *place, struct error *error);

/* The layers of an oblique view, where --at z= names them. */
enum status drawing_layers(const struct view *view,
                           const struct place_range *layers,
                           struct picture_options *options,
                           struct error *error);

#endif
