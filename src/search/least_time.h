/* SPDX-License-Identifier: MIT */
/* The path of least time ∫ds/c between two points, in 2D and 3D, among walls
 * and cells of different speeds (terrain.h: 1 where it says nothing).
 *
 * Cells are closed unit squares (cubes). A piece of a path runs through a cell
 * at that cell's speed, along a face or an edge between cells at that of the
 * fastest free one. It may touch walls and slide along them, but not pass
 * between walls that touch only at a corner (in 3D: or at an edge), as in
 * search/exact.h. One-way cells and costs do not count.
 *
 * The time of a path through a given sequence of cells is a convex function of
 * the points at which it crosses their faces (crossings.h). Its minimum obeys
 * Snell's law on every face (Rowe and Richbourg 1990, Mitchell and
 * Papadimitriou 1991). The sequence is that of the path down a field of fast
 * marching, and is changed at every corner and edge that the path touches as
 * long as that makes the path faster (sleeve.h). As this may end in a local
 * minimum, other routes that fast marching finds nearly as fast are tried, too.
 */
#ifndef HAMON_SEARCH_LEAST_TIME_H
#define HAMON_SEARCH_LEAST_TIME_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>

struct least_time;

struct least_path {
    bool found;        /* else there is no path, and the rest is 0 */
    double time;       /* ∫ds/c along the points, in cells over speed 1 */
    double start_time; /* of fast marching's path before it was optimized */
    /* (time − lower)/time, where `lower` is a proven lower bound of the time
     * through this sequence of cells and all those that contain the path: what
     * numbers leave open. It does not count that another sequence, which no
     * start led to, may be faster. */
    double bound;
    size_t count; /* of points, from `from` to the centre of the source */
    const double (*points)[GRID_AXES]; /* (count, 3); z is 0 in 2D */
};

/* Solves fast marching from the centre of the cell `source`. The terrain is
 * borrowed and may not change. STATUS_INPUT where `source` is a wall or the
 * grid has too many cells. Release with least_time_release. */
enum status least_time_new(const struct terrain *terrain, size_t source,
                           struct least_time **least, struct error *error);
void least_time_release(struct least_time *least);

/* The path from `from`, any point of the grid's cells, to the source's centre.
 * path->points are lent until the next call. A point inside a wall, or one
 * that no path joins to the source, has none: path->found is false. */
enum status least_time_path(struct least_time *least,
                            const double from[GRID_AXES],
                            struct least_path *path, struct error *error);

#endif
