/* SPDX-License-Identifier: MIT */
/* How well agents steer through areas of other speed: their paths and those
 * along the recorded headings, beside the paths of least time and of least
 * length. 2D and 3D, target standing still. */
#ifndef HAMON_ANALYSIS_STUDY_STEERING_H
#define HAMON_ANALYSIS_STUDY_STEERING_H

#include "analysis/study/areas.h"
#include "analysis/study/polyline.h"
#include "analysis/study/study.h"
#include "pursuit/settings.h"

#include <stdbool.h>

/* Paths that a place has, whichever agents start there. */
enum steering_path_kind {
    STEERING_TRACE,    /* along the headings at the first arrivals */
    STEERING_LEAST,    /* of least time (search/least_time.h) */
    STEERING_SHORTEST, /* of least length, blind to speeds */
    STEERING_PATHS
};

struct steering_path {
    bool there, arrived; /* was there such a path, did it come to the source */
    struct polyline line;
    double time; /* ∫ds/c, of those that did not arrive as far as they came */
    double length; /* cells, likewise */
    /* Of those that arrived, NAN of others: */
    double fermat;    /* time over the least time */
    double hausdorff; /* from the path of least time, cells */
    double ratio;     /* length over the shortest path's */
};

/* Where one agent or several start. */
struct steering_place {
    double at[GRID_AXES];
    double least;    /* the least time to the source, at c = 1 cells */
    double geodesic; /* length of the shortest path, cells */
    struct steering_path path[STEERING_PATHS];
};

struct steering_agent {
    char name[64];
    enum agent_method method;
    size_t place;
    double steps; /* from the first row to the capture; NAN: none */
    /* Where it was at each row; the path of least time from where it captured
     * to the source is added. */
    struct steering_path path;
    struct polyline_share *shares; /* (areas.count) of that path */
};

struct steering {
    struct terrain terrain; /* walls and speeds at the first emission */
    struct areas areas;
    double source[GRID_AXES];
    struct steering_place *places; /* farther than 3 from the source */
    size_t place_count;
    struct steering_agent *agents; /* those that start there */
    size_t agent_count;
    size_t left_out;   /* agents that start nearer, or cannot come to it */
    size_t unheard;    /* traces that end where the wave had not arrived */
    int64_t sent_anew; /* the step at which it was sent again; −1: it was not */
    double bound; /* by how much, of itself, a least time may be too long */
};

/* Measures one reading's wave `wave`; of a recording without waves its agents.
 * Traces are left out if the rows do not hold what they need (the gradient of
 * the whole map, a detector of one cell); agents if arrival settings are
 * varied. STATUS_INPUT if nothing can be measured: no agents, not every step, a
 * target that moves, a map that changes. Release with steering_release, after a
 * failure too. */
enum status steering_measure(struct steering *steering,
                             const struct study *study,
                             const struct reading *reading, int wave,
                             struct error *error);
void steering_release(struct steering *steering);

#endif
