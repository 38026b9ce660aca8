/* SPDX-License-Identifier: MIT */
/* Shortest paths in 3D maps, by fast marching on two refined grids,
 * extrapolated. Exact ones turn on edges and cannot be computed here. */
#ifndef HAMON_VIEW_MARCHED_H
#define HAMON_VIEW_MARCHED_H

#include "base/status.h"
#include "world/terrain.h"

/* A cell in sight of the source has a straight path, and no error. For the
 * others second-order fast marching (search/fast_marching.h) runs on a grid of
 * `refined` subcells a cell, 5, and on one of 3; if the first takes more memory
 * than there is, on 3 and 1. Behind an edge the errors of times and headings
 * are proportional to the subcell's side. So with the values F on the fine
 * grid, of f subcells a cell, and C on the coarse one, of c,
 *
 *   F + (F − C)·c/(f − c)
 *
 * has no such term. `error` is the angle between the resulting heading and the
 * fine grid's. Arrays are (nz, ny, nx). */
struct marched {
    struct terrain terrain; /* borrows its walls */
    int refined;
    double *distance;             /* to the source; INFINITY never */
    double (*heading)[GRID_AXES]; /* unit, along the path; 0, 0, 0: none */
    double *error;                /* of the heading, radians; 0 in sight */
};

/* Speeds are ignored. STATUS_INPUT if even 3 subcells a cell take too much
 * memory. Release with marched_release, after a failure too. */
enum status marched_make(struct marched *marched, const struct terrain *terrain,
                         size_t source, struct error *error);
void marched_release(struct marched *marched);

/* Does the path of a cell that does not see the source turn within `radius`
 * cells? True if an edge on which a path may turn, between one wall cell and
 * three free ones, is that near and ahead of the cell: at less than 90 degrees
 * to its heading. It may be an edge on which only another path turns. */
bool marched_near_edge(const struct marched *marched, size_t cell,
                       double radius);

/* Is a second path, with another first heading, at most `tolerance` cells
 * longer than the shortest? It is if a cell within 2 cells and in sight has a
 * heading away from this one: with T the distances, g the headings, o the
 * vector from the cell n to this cell p,
 *
 *   (g(p) − g(n))·o > .2   and   T(n) − g(n)·o ≤ T(p) + tolerance.
 *
 * Headings of one family of paths never fulfil this, because T is convex along
 * each. .2 is the maximum sum of errors of the headings. */
bool marched_on_cut(const struct marched *marched, size_t cell,
                    double tolerance);

#endif
