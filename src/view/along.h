/* SPDX-License-Identifier: MIT */
/* A line of cells over time: columns are positions along the line, rows are
 * steps. */
#ifndef HAMON_VIEW_ALONG_H
#define HAMON_VIEW_ALONG_H

#include "view/view.h"

/* From cell to cell of the world; in 2D z is 0. */
struct along_line {
    int from[GRID_AXES], to[GRID_AXES];
};

/* Changes the view's plane to the line and the steps; in 3D the view must have
 * been opened as VIEW_WHOLE. Columns are one cell's length apart, slightly
 * adjusted so that the last is at the line's end, and show the nearest cell:
 * along an axis each cell in turn. Values are always recorded ones, not
 * interpolated; walls are those of each step. Steps that were not recorded have
 * no values. STATUS_INPUT if the line leaves the region or has only one end, if
 * the steps are not evenly spaced, and for fields that are the same at every
 * step. Such a view has no twins. */
enum status view_lay_along(struct view *view, const struct along_line *line,
                           const int64_t *steps, size_t count,
                           struct error *error);

bool view_is_along(const struct view *view);

#endif
