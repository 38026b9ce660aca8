/* SPDX-License-Identifier: MIT */
/* Letters over the cells of a panel: each is where it covers no other one. */
#ifndef HAMON_DRAW_FIGURE_LABELS_H
#define HAMON_DRAW_FIGURE_LABELS_H

#include "draw/figure/figure.h"

/* On each contour its value, upright on paper, at the first free position; a
 * contour without a free position has none. */
void labels_of_contours(struct figure *figure, const struct frame *panel);

/* The names of areas; of a few agents each name at its mark, captured ones
 * without; of some the number at each start. */
void labels_of_along(struct figure *figure, const struct frame *panel);
void labels_of_agents(struct figure *figure, const struct frame *panel,
                      int64_t row);

/* In each cell its number, all in one size, except if an agent is drawn in it.
 * STATUS_INPUT if there is no room for the longest. */
enum status labels_of_values(struct figure *figure, const struct frame *panel,
                             int64_t row, struct error *error);

#endif
