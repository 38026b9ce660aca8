/* SPDX-License-Identifier: MIT */
/* A path in 2D or 3D: points with straight pieces between them. */
#ifndef HAMON_ANALYSIS_STUDY_POLYLINE_H
#define HAMON_ANALYSIS_STUDY_POLYLINE_H

#include "base/status.h"
#include "world/terrain.h"

#include <stddef.h>

struct polyline {
    double (*points)[GRID_AXES]; /* x, y, z in cells; z is 0 in 2D */
    size_t count, room;
};

/* A point that lies where the last one does is left out. */
enum status polyline_add(struct polyline *line, const double at[GRID_AXES],
                         struct error *error);
void polyline_release(struct polyline *line);

/* Between two points; in 2D to the bit what hypot of x and y is. */
double polyline_distance(const double a[GRID_AXES], const double b[GRID_AXES]);

double polyline_length(const struct polyline *line);

/* ∫ds/c along the path: each piece is cut where it goes from one cell to the
 * next, and runs through each at the cell's speed; along an edge or a face
 * between cells, at that of the fastest free one (what a front does). Where no
 * free cell is, the speed is 1. */
double polyline_time(const struct polyline *line,
                     const struct terrain *terrain);

/* What of a path lies in one area. */
struct polyline_share {
    double time;   /* ∫ds/c */
    double length; /* cells */
};

/* Adds each part of the path, cut as by polyline_time, to shares[area[cell]],
 * where `area` (nz, ny, nx) has the number of each cell's area. Parts where no
 * free cell is are left out. */
void polyline_add_shares(const struct polyline *line,
                         const struct terrain *terrain, const int32_t *area,
                         struct polyline_share *shares);

/* The Hausdorff distance of two paths, as sets of points: the farthest that
 * any point of one lies from the other. Both have points. Looked for at points
 * at most `spacing` apart, so it may be too small by half of that. */
double polyline_hausdorff(const struct polyline *a, const struct polyline *b,
                          double spacing);

#endif
