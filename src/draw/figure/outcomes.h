/* SPDX-License-Identifier: MIT */
/* What became of each of some agents, as a list beside a map: its number, a
 * line to the step at which it captured or got stuck, and that step. */
#ifndef HAMON_DRAW_FIGURE_OUTCOMES_H
#define HAMON_DRAW_FIGURE_OUTCOMES_H

#include "draw/figure/figure.h"

/* Has the figure such a list? One panel, with the trails of CROWD_SOME. */
bool outcomes_fit(const struct figure *figure);

/* Its width in ems, without a gap. */
#define OUTCOMES_WIDTH 18.0

/* Draws it, up to a row. */
void outcomes_draw(struct figure *figure, const struct frame *frame,
                   int64_t row);

#endif
