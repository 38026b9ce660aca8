/* SPDX-License-Identifier: MIT */
/* What became of each of some agents, as a list beside or below a map: its
 * number, a line to the step at which it captured or got stuck, and that
 * step. */
#ifndef HAMON_DRAW_FIGURE_OUTCOMES_H
#define HAMON_DRAW_FIGURE_OUTCOMES_H

#include "draw/figure/figure.h"

/* Has the figure such a list? One panel, with the trails of CROWD_SOME. */
bool outcomes_fit(const struct figure *figure);

/* Its width in ems beside a map, without a gap; and its height in pixels below
 * one, for a width of so many pixels. */
#define OUTCOMES_WIDTH 18.0
double outcomes_height(const struct figure *figure, double width);

/* Draws it, up to a row, in as many columns as fit. */
void outcomes_draw(struct figure *figure, const struct frame *frame,
                   int64_t row);

#endif
