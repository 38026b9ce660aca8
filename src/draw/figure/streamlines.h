/* SPDX-License-Identifier: MIT */
/* Evenly spaced streamlines of a plane of vectors (Jobard and Lefer 1997). */
#ifndef HAMON_DRAW_FIGURE_STREAMLINES_H
#define HAMON_DRAW_FIGURE_STREAMLINES_H

#include <stddef.h>
#include <stdint.h>

/* The vectors of a plane: arrays of (ny, nx), which are borrowed. Between the
 * centres of cells the components are bilinear. */
struct vectors {
    const double *right, *down; /* NaN: no value */
    const uint8_t *wall;        /* ≠ 0: a wall; NULL: none */
    int nx, ny;
    int left, top, end_x, end_y; /* lines are only in these columns and rows,
                                  * the ends not included */
};

struct streamlines {
    double (*points)[2]; /* in columns and rows; cell centres are at whole
                          * numbers */
    size_t count, room;
    size_t *lines; /* the first point of each line; its last one precedes the
                    * next line, and equals the first one of a ring */
    size_t line_count, line_room;
};

/* Traces lines along the vectors, about `apart` cells from each other and never
 * nearer than half of that, unless a wall is between them. Lines shorter than
 * that half are omitted. No point is nearer than `clear` (< ½) to a wall. A
 * line ends at a cell without a value, or whose vector is shorter than a
 * millionth of the longest one. The same vectors always give the same lines. */
void streamlines_trace(struct streamlines *lines, const struct vectors *vectors,
                       double apart, double clear);
void streamlines_release(struct streamlines *lines);

#endif
