/* SPDX-License-Identifier: MIT */
/* The steering of agents through areas of other speed: their paths, and those
 * along the recorded headings, compared with the paths of minimum time and of
 * minimum length. 2D and 3D, with a still target. */
#ifndef HAMON_ANALYSIS_STUDY_STEERING_H
#define HAMON_ANALYSIS_STUDY_STEERING_H

#include "analysis/study/areas.h"
#include "analysis/study/polyline.h"
#include "analysis/study/study.h"
#include "pursuit/settings.h"

#include <stdbool.h>

/* Paths of a place, independent of the agents that start there. */
enum steering_path_kind {
    STEERING_TRACE,    /* along the headings at the first arrivals */
    STEERING_LEAST,    /* of minimum time (search/least_time.h) */
    STEERING_SHORTEST, /* of minimum length, without regard to speeds */
    STEERING_PATHS
};

struct steering_path {
    bool there, arrived; /* is there such a path; did it reach the source */
    struct polyline line;
    double time; /* ∫ds/c; of a path that did not arrive, of the part walked */
    double length; /* cells, in the same manner */
    /* Of those that arrived, NAN of others: */
    double fermat;    /* time divided by the minimum time */
    double hausdorff; /* from the path of least time, cells */
    double ratio;     /* length divided by the shortest path's */
};

/* The start of one agent or several. */
struct steering_place {
    double at[GRID_AXES];
    double least;    /* the minimum time to the source, in cells at c = 1 */
    double geodesic; /* length of the shortest path, cells */
    struct steering_path path[STEERING_PATHS];
};

struct steering_agent {
    char name[64];
    enum agent_method method;
    size_t place;
    double steps; /* from the first row to the capture; NAN: none */
    /* Its positions at each row; followed by the path of minimum time from the
     * position of the capture to the source. */
    struct steering_path path;
};

struct steering {
    struct terrain terrain; /* walls and speeds at the first emission */
    struct areas areas;
    double source[GRID_AXES];
    struct steering_place *places; /* farther than 3 from the source */
    size_t place_count;
    struct steering_agent *agents; /* those that start there */
    size_t agent_count;
    size_t left_out;   /* agents that start nearer, or have no path to it */
    size_t undetected; /* traces that end where the wave had not arrived */
    int64_t sent_anew; /* the step of its next emission; −1: none */
    double bound;      /* the maximum relative error of a minimum time */
};

/* Measures one reading's wave `wave`; in a recording without waves its agents.
 * Traces are left out if the rows lack the data (the gradient of the whole map,
 * a detector of one cell); agents are left out if arrival settings are varied.
 * STATUS_INPUT if nothing can be measured: no agents, not every step, a target
 * that moves, a map that changes. Release with steering_release, after a
 * failure too. */
enum status steering_measure(struct steering *steering,
                             const struct study *study,
                             const struct reading *reading, int wave,
                             struct error *error);
void steering_release(struct steering *steering);

#endif
