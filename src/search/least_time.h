/* SPDX-License-Identifier: MIT */
/* The path of least time ∫ds/c between two points, in 2D and 3D, among walls
 * and cells of different speeds (terrain.h: 1 if it has none).
 *
 * Cells are closed unit squares (cubes). A piece of a path inside a cell has
 * that cell's speed; along a face or an edge between cells it has that of the
 * fastest free one. It may touch walls and slide along them, but not pass
 * between walls that touch only at a corner (in 3D: or at an edge), as in
 * search/exact.h. One-way cells and costs are ignored.
 *
 * The time of a path through a given sequence of cells is a convex function of
 * the points at which it crosses their faces (crossings.h). Its minimum fulfils
 * Snell's law on every face (Rowe and Richbourg 1990, Mitchell and
 * Papadimitriou 1991). The sequence is that of the path down a field of fast
 * marching, and is changed at the corners and edges that the path touches, as
 * long as that makes the path faster (sleeve.h). Because this may end in a
 * local minimum, other routes that are nearly as fast by fast marching are
 * tried, too. */
#ifndef HAMON_SEARCH_LEAST_TIME_H
#define HAMON_SEARCH_LEAST_TIME_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>

struct least_time;

struct least_path {
    bool found;        /* else there is no path, and all other fields are 0 */
    double time;       /* ∫ds/c along the points, in units of cells at speed
                        * 1 */
    double start_time; /* of fast marching's path before it was optimized */
    /* (time − lower)/time, where `lower` is a proven lower bound of the time
     * through this sequence of cells and all those that contain the path: the
     * numerical error. Another sequence, which no start led to, may still be
     * faster. */
    double bound;
    size_t count; /* of points, from `from` to the centre of the source */
    const double (*points)[GRID_AXES]; /* (count, 3); z is 0 in 2D */
};

/* Solves fast marching from the centre of the cell `source`. The terrain is
 * borrowed and may not change. STATUS_INPUT if `source` is a wall or the grid
 * has too many cells. Release with least_time_release. */
enum status least_time_new(const struct terrain *terrain, size_t source,
                           struct least_time **least, struct error *error);
void least_time_release(struct least_time *least);

/* The path from `from`, any point of the grid's cells, to the source's centre.
 * path->points are valid until the next call. A point inside a wall, or without
 * a path to the source, has none: path->found is false. */
enum status least_time_path(struct least_time *least,
                            const double from[GRID_AXES],
                            struct least_path *path, struct error *error);

#endif
