/* SPDX-License-Identifier: MIT */
/* A path in the plane: points with straight pieces between them. */
#ifndef HAMON_ANALYSIS_POLYLINE_H
#define HAMON_ANALYSIS_POLYLINE_H

#include "base/status.h"
#include "world/terrain.h"

#include <stddef.h>

struct polyline {
    double (*points)[2]; /* x, y */
    size_t count, room;
};

/* A point that lies where the last one does is left out. */
enum status polyline_add(struct polyline *line, const double at[2],
                         struct error *error);
void polyline_release(struct polyline *line);

double polyline_length(const struct polyline *line);

/* ∫ds/c along the path: each piece is cut where it goes from one cell to the
 * next, and runs through each at the cell's speed; along an edge between two,
 * at that of the faster free one (what a front does). Where no free cell is,
 * the speed is 1. 2D. */
double polyline_time(const struct polyline *line,
                     const struct terrain *terrain);

/* The Hausdorff distance of two paths, as sets of points: the farthest that
 * any point of one lies from the other. Both have points. Looked for at points
 * at most `spacing` apart, so it may be too small by half of that. */
double polyline_hausdorff(const struct polyline *a, const struct polyline *b,
                          double spacing);

#endif
