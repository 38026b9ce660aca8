/* SPDX-License-Identifier: MIT */
/* How well a wave steers through areas of other speed: the agents' paths and
 * those along the recorded headings, beside the path of least time. 2D, target
 * standing still. */
#ifndef HAMON_ANALYSIS_STEERING_H
#define HAMON_ANALYSIS_STEERING_H

#include "polyline.h"
#include "study.h"

#include <stdbool.h>

enum steering_kind {
    STEERING_TRAJECTORY, /* of an agent that goes by the wave; the straight
                          * piece from where it captured to the source added */
    STEERING_TRACE,      /* along the headings at the first arrivals */
    STEERING_MARCHING,   /* down the time of fast marching, 3 times refined */
    STEERING_SHORTEST,   /* exact, blind to speeds */
    STEERING_KINDS
};
extern const char *const steering_kind_names[]; /* ends with NULL */

struct steering_path {
    bool there, arrived; /* was there such a path, did it come to the source */
    struct polyline line;
    /* Of those that arrived: */
    double fermat;    /* ∫ds/c over the time of fast marching */
    double hausdorff; /* from the path of fast marching, cells */
    double ratio;     /* length over the exact shortest one's */
};

struct steering_start {
    double at[2];    /* where an agent starts */
    double least;    /* time of fast marching from the source, at c = 1 cells */
    double geodesic; /* length of the exact shortest path, cells */
    struct steering_path path[STEERING_KINDS];
};

struct steering {
    struct terrain terrain; /* walls and speeds at the first emission */
    double contrast;        /* the speed that is farthest from 1, or 1 */
    double source[2];
    struct steering_start *starts; /* an agent each; farther than 3 away */
    size_t start_count;
    bool traced; /* headings could be read from the rows */
};

/* Measures one reading's wave `wave`. Traces are left out where the rows do
 * not hold what they need (the gradient, every step, a detector of one cell);
 * trajectories where arrival settings are varied. STATUS_INPUT where nothing
 * can be measured: not 2D, no agents, a target that moves, not the whole map,
 * a map that changes. Release with steering_release, after a failure too. */
enum status steering_measure(struct steering *steering,
                             const struct study *study,
                             const struct reading *reading, int wave,
                             struct error *error);
void steering_release(struct steering *steering);

#endif
