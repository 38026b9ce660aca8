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

/* A point equal to the last one is left out. */
void polyline_add(struct polyline *line, const double at[GRID_AXES]);
void polyline_release(struct polyline *line);

/* Between two points; in 2D bit for bit the same as hypot of x and y. */
double polyline_distance(const double a[GRID_AXES], const double b[GRID_AXES]);

double polyline_length(const struct polyline *line);

/* ∫ds/c along the path: each piece is divided at borders between cells, and has
 * each cell's speed; along an edge or a face between cells, that of the fastest
 * free one (as a front does). If there is no free cell, the speed is 1. */
double polyline_time(const struct polyline *line,
                     const struct terrain *terrain);

/* The part of a path in one area. */
struct polyline_share {
    double time;   /* ∫ds/c */
    double length; /* cells */
};

/* Adds each part of the path, divided as in polyline_time, to
 * shares[area[cell]], where `area` (nz, ny, nx) has the number of each cell's
 * area. Parts without a free cell are left out. */
void polyline_add_shares(const struct polyline *line,
                         const struct terrain *terrain, const int32_t *area,
                         struct polyline_share *shares);

/* The Hausdorff distance of two paths, as sets of points: the maximum distance
 * of a point of one from the other. Both must have points. Points at most
 * `spacing` apart are tested, so the result may be too small by half of
 * that. */
double polyline_hausdorff(const struct polyline *a, const struct polyline *b,
                          double spacing);

#endif
