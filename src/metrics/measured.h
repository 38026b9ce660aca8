/* SPDX-License-Identifier: MIT */
/* What a recording says of its agents: their captures, paths, headings,
 * arrivals and plans, each read once. results.h has the columns of tables that
 * are computed from these. */
#ifndef HAMON_METRICS_MEASURED_H
#define HAMON_METRICS_MEASURED_H

#include "base/status.h"
#include "metrics/geodesic.h"
#include "recording/read/recording.h"

#include <stddef.h>
#include <stdint.h>

enum { MEASURED_METHOD_SIZE = 32, MEASURED_NAME_SIZE = 256 };

/* NAN: the recording lacks the data. */
struct measured_agent {
    const struct measured *run; /* its recording */
    char method[MEASURED_METHOD_SIZE];
    char name[MEASURED_NAME_SIZE];
    double speed; /* cells a step, from the scenario */
    double start[GRID_AXES];
    double captured;    /* the step; NAN never */
    double path_length; /* cells, over the recorded rows */
    double turns;       /* changes of heading by more than a degree, until the
                         * capture */
    double waited;      /* the fraction of the steps to the capture before its
                         * first heading */
    double geodesic;    /* cells, from its start to the target's; INFINITY if
                         * there is no path, NAN without a target */
    /* The length of the shortest path from its start to the target's position
     * at the capture, exact in 2D, by fast marching in 3D, minus the distance
     * between the two at the capture. It is the reference for path_length. In
     * 3D only for a still target. */
    double shortest;
    double arrivals;      /* number that it reacted to */
    double updates;       /* those that gave it a heading */
    double first_arrival; /* steps from the emission */
    double arrival_error; /* degrees, of that first heading */
    double plans;         /* number of rows of the table, and of all these: */
    double expansions, nanoseconds;           /* the sums; NAN without a plan */
    double plan_expansions, plan_nanoseconds; /* the medians */
    /* Start, target's start, speed and radius, walls, regions, events, target's
     * motion, seed: all that a pair of agents must have in common to be
     * compared step by step. */
    uint64_t problem;
    /* A hash of all positions of all agents and the target, from their
     * checksums, and of the agent's number. If two seeds have the same, the
     * seed changes nothing in the chase. */
    uint64_t course;
    /* Its steps over those of the agent of method lee with the same problem;
     * NAN until a table of several recordings finds that one. */
    double over_lee;
};

/* One recording. It must not move in memory: its agents point to it. */
struct measured {
    size_t number; /* the caller's */
    int dims;
    int64_t steps;           /* of the last row; −1 without rows */
    double limit;            /* the step limit of the scenario */
    bool team;               /* the chase ends at the first capture */
    int moves;               /* of searches, from a cell; 0: unknown */
    double step_nanoseconds; /* of the whole simulation, mean */
    struct measured_agent *agents;
    size_t agent_count;
    bool has_target;
    double target[GRID_AXES]; /* its initial position */
    /* Cells of the region that are farther than 3 from the source of wave 0's
     * first emission, and those of them at which it arrived; −1 unknown. */
    int64_t far_cells, far_reached;
};

/* What takes long, and not all callers need. */
enum {
    MEASURED_REACH = 1, /* far_cells, far_reached */
    MEASURED_PAIRS = 2, /* shortest, problem, course */
};

/* The speed of each agent from the scenario, NAN if it has none. */
void measured_speeds(const struct recording *recording, double *speeds,
                     size_t agents);

/* Reads the recording, and of the parts that take long those named. Geodesics
 * are exact in 2D, by fast marching in 3D, on the map of step 0. Release with
 * measured_release, after failures too. */
enum status measured_init(struct measured *measured,
                          const struct recording *recording, unsigned parts,
                          struct error *error);
void measured_release(struct measured *measured);

#endif
