/* SPDX-License-Identifier: MIT */
/* A line of cells against time: columns are places along the line, rows are
 * steps. */
#ifndef HAMON_VIEW_ALONG_H
#define HAMON_VIEW_ALONG_H

#include "view/view.h"

struct along;

/* From cell to cell of the world; in 2D z is 0. */
struct along_line {
    int from[GRID_AXES], to[GRID_AXES];
};

/* From now on the view's plane is that of the line and the steps; of 3D it must
 * have been opened as VIEW_WHOLE. Columns are one cell's length apart, or so
 * little more or less that the last is at the line's end, and show the cell
 * that is nearest: along an axis each cell in turn. What stands there is a
 * recorded value always; walls are those of each step. Steps that were not
 * recorded have no values. STATUS_INPUT where the line leaves the region or has
 * one end alone, where the steps are not evenly spaced, and of fields that are
 * the same at every step. Such a view has no twins. */
enum status view_lay_along(struct view *view, const struct along_line *line,
                           const int64_t *steps, size_t count,
                           struct error *error);

/* The view's parts of it. */
enum status along_read(struct view *view, struct error *error);
void along_describe(const struct along *along, char *text, size_t size);
void along_axis(const struct view *view, int side, struct view_axis *axis);
void along_release(struct along *along);

#endif
