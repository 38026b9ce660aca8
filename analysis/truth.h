/* SPDX-License-Identifier: MIT */
/* What headings are measured against: the exact shortest paths to a source. */
#ifndef HAMON_ANALYSIS_TRUTH_H
#define HAMON_ANALYSIS_TRUTH_H

#include "search/exact.h"
#include "world/terrain.h"

#include <stdint.h>

/* Cells nearer to the source than this do not count, nor those whose next
 * corner is nearer than TRUTH_CORNER, nor those to which another path with
 * another heading is at most TRUTH_CUT longer. */
#define TRUTH_NEAR 3.
#define TRUTH_CORNER 2.
#define TRUTH_CUT 1.

struct truth {
    struct exact *exact;
    double *distance; /* (ny, nx): to the source; INFINITY never */
    /* Unit, to the next turn of the shortest path, of the cells that count for
     * heading errors; 0, 0 for others. */
    double (*toward)[2];
    int64_t counted;   /* cells that have one */
    int64_t reachable; /* cells farther than TRUTH_NEAR that have a path */
};

/* 2D. Release with truth_release, after a failure too. */
enum status truth_make(struct truth *truth, const struct terrain *terrain,
                       size_t source, struct error *error);
void truth_release(struct truth *truth);

#endif
