/* SPDX-License-Identifier: MIT */
/* What headings are measured against: the shortest paths to a source. */
#ifndef HAMON_VIEW_TRUTH_H
#define HAMON_VIEW_TRUTH_H

#include "search/exact.h"
#include "world/terrain.h"

#include <stdint.h>

/* Cells nearer to the source than this do not count, nor those whose next
 * corner is nearer than TRUTH_CORNER, nor those to which another path with
 * another heading is at most TRUTH_CUT longer. */
#define TRUTH_NEAR 3.
#define TRUTH_CORNER 2.
#define TRUTH_CUT 1.
/* Of marched paths (below): cells whose heading may be farther off than this
 * do not count, radians (2 degrees). */
#define TRUTH_ERROR 0.034906585039886591

/* In 2D the paths are exact. So they are in 3D where the free cells are a
 * prism: the same in each plane across one axis, from the first plane that has
 * any to the last (ducts in a plane; a map without walls). A shortest path in a
 * prism is one of its base, and straight along the axis: of the length
 * √(D² + h²), D the exact path in the base and h the way along the axis. In
 * other maps of 3D paths are marched (marched.h). */
struct truth {
    struct exact *exact; /* of the plane, or of the prism's base; else NULL */
    double *distance;    /* (nz, ny, nx): to the source; INFINITY never */
    /* Unit, (x, y, z), to the next turn of the shortest path, of the cells that
     * count for heading errors; 0, 0, 0 for others. */
    double (*toward)[GRID_AXES];
    int64_t counted;   /* cells that have one */
    int64_t reachable; /* cells farther than TRUTH_NEAR that have a path */
    /* Of marched paths: subcells along a cell of the finer grid, 5 or, if that
     * takes too much memory, 3; 0: all paths are exact. How many cells that
     * count have a marched heading, Σ of the squares of their estimated errors
     * (radians); and how many do not count because of TRUTH_ERROR alone. */
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
