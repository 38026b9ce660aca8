/* SPDX-License-Identifier: MIT */
/* The minimum and maximum of many rows. */
#ifndef HAMON_DRAW_FIGURE_EXTREMES_H
#define HAMON_DRAW_FIGURE_EXTREMES_H

#include "draw/colormap/quantile.h"
#include "draw/colormap/scale.h"
#include "view/view.h"

/* Of the view's plane in `count` rows, without walls; `sizes` counts them too,
 * or is NULL. Each row is read once, by the view and, if threads > 1, by twins
 * of it that share the rows. */
enum status extremes_of_rows(struct view *view, const int64_t *rows,
                             size_t count, int threads,
                             struct extremes *extremes, struct quantile *sizes,
                             struct error *error);

#endif
