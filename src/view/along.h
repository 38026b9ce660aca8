/* SPDX-License-Identifier: MIT */
/* A line of cells over time: columns are positions along the line, rows are
 * steps. */
#ifndef HAMON_VIEW_ALONG_H
#define HAMON_VIEW_ALONG_H

#include "view/view.h"

enum { ALONG_POINTS = 32 };

/* Straight from each of `count` ≥ 2 cells of the world to the next; in 2D z is
 * 0. */
struct along_line {
    int count;
    int point[ALONG_POINTS][GRID_AXES];
};

/* The line's length up to its first, second, … point, in cells. */
void along_lengths(const struct along_line *line, double at[ALONG_POINTS]);

/* The line's point that is nearest to a place: its distance along the line from
 * the first point. Returns how far the place is from it. */
double along_nearest(const struct along_line *line,
                     const double place[GRID_AXES], double *distance);

/* Changes the view's plane to the line and the steps; in 3D the view must have
 * been opened as VIEW_WHOLE. Columns are one cell's length apart, slightly
 * adjusted so that the last is at the line's end, and show the nearest cell:
 * along axes each cell in turn. Values are always recorded ones, not
 * interpolated; walls are those of each step. Steps that were not recorded have
 * no values. STATUS_INPUT if the line leaves the region or two points in
 * succession are the same, if the steps are not evenly spaced, and for fields
 * that are the same at every step. Such a view has no twins. */
enum status view_lay_along(struct view *view, const struct along_line *line,
                           const int64_t *steps, size_t count,
                           struct error *error);

bool view_is_along(const struct view *view);

/* Of such a view. */
const struct along_line *view_along_line(const struct view *view);

/* Where the view has a place, such as that of an agent: at the distance along
 * the line of its nearest point. NaN: it is farther from there than half of the
 * local width (world/local_width.h) at that point, or one cell where free cells
 * reach the map's edge, which have no width. By the map of the first step. */
enum status view_along_place(const struct view *view,
                             const double place[GRID_AXES], double *distance,
                             struct error *error);

/* The column of a distance along the line, and the row of a step: between two
 * of them a fraction. */
double view_along_column(const struct view *view, double distance);
double view_along_row(const struct view *view, double step);

/* The wave's speed along the line, in cells a step: √δ times the speed of its
 * free cells, by the map of the first step. NaN: they differ. */
enum status view_along_speed(const struct view *view, double *speed,
                             struct error *error);

#endif
