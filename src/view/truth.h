/* SPDX-License-Identifier: MIT */
/* The reference for headings: the shortest paths to a source. */
#ifndef HAMON_VIEW_TRUTH_H
#define HAMON_VIEW_TRUTH_H

#include "search/exact.h"
#include "world/terrain.h"

#include <stdint.h>

/* Not counted are cells nearer to the source than this, those whose next corner
 * is nearer than TRUTH_CORNER, and those to which another path with another
 * heading is at most TRUTH_CUT longer. */
#define TRUTH_NEAR 3.
#define TRUTH_CORNER 2.
#define TRUTH_CUT 1.
/* For marched paths (below): cells whose heading may have a larger error are
 * not counted, radians (2 degrees). */
#define TRUTH_ERROR 0.034906585039886591

/* In 2D the paths are exact. They are exact in 3D too if the free cells are a
 * prism: the same in each plane across one axis, from the first plane that has
 * any to the last (ducts in a plane; a map without walls). A shortest path in a
 * prism is one of its base, and straight along the axis: its length is √(D² +
 * h²), with D the exact path in the base and h the distance along the axis. In
 * other 3D maps paths are marched (marched.h). */
struct truth {
    struct exact *exact; /* of the plane, or of the prism's base; else NULL */
    int axis;            /* across that plane or base */
    double *distance;    /* (nz, ny, nx): to the source; INFINITY never */
    /* Unit, (x, y, z), to the next turn of the shortest path, of the cells that
     * count for heading errors; 0, 0, 0 for others. */
    double (*toward)[GRID_AXES];
    int64_t counted;   /* cells that have one */
    int64_t reachable; /* cells farther than TRUTH_NEAR that have a path */
    /* Of marched paths: subcells along a cell of the finer grid, 5 or, if that
     * takes too much memory, 3; 0: all paths are exact. Then the number of
     * counted cells with a marched heading, Σ of the squares of their estimated
     * errors (radians); and the number not counted only because of
     * TRUTH_ERROR. */
    int refined;
    int64_t marched, unsure;
    double error_squares;
};

/* STATUS_INPUT if marched paths take too much memory. Release with
 * truth_release, after a failure too. */
enum status truth_make(struct truth *truth, const struct terrain *terrain,
                       size_t source, struct error *error);
void truth_release(struct truth *truth);

#endif
