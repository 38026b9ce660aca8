/* SPDX-License-Identifier: MIT */
/* Letters over the cells of a panel: each is where it covers no other one. */
#ifndef HAMON_DRAW_FIGURE_LABELS_H
#define HAMON_DRAW_FIGURE_LABELS_H

#include "draw/figure/figure.h"

/* All texts on a panel that was painted, none over another one, over a mark or
 * in the inset (NULL: none): the names of areas; of a few agents each name at
 * its mark, captured ones at their starts; of some the number at each start; on
 * each contour its value; on a line over time the speed and the times of ends.
 * A text without a free place is left out. With OVERLAY_VALUES in each cell its
 * number, all in one size, except if an agent is drawn in it; STATUS_INPUT if
 * there is no room for the longest. */
enum status labels_draw(struct figure *figure, const struct frame *panel,
                        int64_t row, const struct frame *inset,
                        struct error *error);

#endif
