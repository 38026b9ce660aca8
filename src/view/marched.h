/* SPDX-License-Identifier: MIT */
/* Shortest paths in maps of 3D, whose exact ones turn on edges and are out of
 * reach: by fast marching on two refined grids, extrapolated. */
#ifndef HAMON_VIEW_MARCHED_H
#define HAMON_VIEW_MARCHED_H

#include "base/status.h"
#include "world/terrain.h"

/* A cell in sight of the source has a straight path, and no error. For the
 * others second-order fast marching (search/fast_marching.h) runs on a grid of
 * `refined` subcells a cell, 5, and on one of 3; if the first takes more memory
 * than there is, on 3 and 1. Behind an edge times and headings are off by as
 * much as goes with the subcell's side. So of the values F on the fine grid, of
 * f subcells a cell, and C on the coarse one, of c,
 *
 *   F + (F − C)·c/(f − c)
 *
 * has no such term. `error` is the angle between the heading that this gives
 * and the fine grid's. Arrays are (nz, ny, nx). */
struct marched {
    struct terrain terrain; /* borrows its walls */
    int refined;
    double *distance;             /* to the source; INFINITY never */
    double (*heading)[GRID_AXES]; /* unit, along the path; 0, 0, 0: none */
    double *error;                /* of the heading, radians; 0 in sight */
};

/* Speeds do not count. STATUS_INPUT if even 3 subcells a cell take too much
 * memory. Release with marched_release, after a failure too. */
enum status marched_make(struct marched *marched, const struct terrain *terrain,
                         size_t source, struct error *error);
void marched_release(struct marched *marched);

/* Does the path of a cell that does not see the source turn within `radius`
 * cells? True if an edge that a path may turn on, between one cell of wall and
 * three free ones, is that near and ahead of the cell: at less than 90 degrees
 * to its heading. It may be an edge that another path turns on. */
bool marched_near_edge(const struct marched *marched, size_t cell,
                       double radius);

/* Does a second path, with another first heading, come within `tolerance` cells
 * of the shortest? It does if a cell within 2 cells and in sight has a heading
 * that leads away from this one: with T the distances, g the headings, o the
 * way from the cell n to this cell p,
 *
 *   (g(p) − g(n))·o > .2   and   T(n) − g(n)·o ≤ T(p) + tolerance.
 *
 * Headings of one family of paths never do so: T is convex along each. .2 is
 * what errors of the headings may add up to. */
bool marched_on_cut(const struct marched *marched, size_t cell,
                    double tolerance);

#endif
