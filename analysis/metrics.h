/* SPDX-License-Identifier: MIT */
/* What is measured of a run: a metric is a const row with a name and a
 * function on a recording. */
#ifndef HAMON_ANALYSIS_METRICS_H
#define HAMON_ANALYSIS_METRICS_H

#include "base/status.h"
#include "recording/recording.h"

#include <stddef.h>
#include <stdint.h>

enum { MEASURED_METHOD_SIZE = 32 };

struct measured_agent {
    char method[MEASURED_METHOD_SIZE];
    double speed;         /* cells a step, as the scenario has it */
    double path_length;   /* cells, over the recorded rows */
    double geodesic;      /* cells, from its start to the target's; INFINITY
                           * where there is no way, NAN where no target */
    int64_t captured;     /* the step, −1 never */
    int64_t arrivals;     /* that it reacted to */
    double first_arrival; /* steps from the emission; NAN */
    double arrival_error; /* degrees, of that first heading; NAN */
    int64_t plans;        /* rows of the table, and their sums */
    double expansions, nanoseconds;
};

/* One recording, read once: what all metrics are functions of. */
struct measured {
    int64_t steps; /* of the last row; −1 without rows */
    struct measured_agent *agents;
    size_t agent_count;
    int64_t far_cells, far_reached; /* see the metric reach; −1 unknown */
};

/* Reads the recording. Geodesics are exact in 2D, fast marching's in 3D, on
 * the map as it is at step 0. Release with measured_release, after failures
 * too. */
enum status measured_init(struct measured *measured,
                          const struct recording *recording,
                          struct error *error);
void measured_release(struct measured *measured);

/* The same run as if it had but its agents of one method, whose number is
 * returned; the rest is as in `all`. `agents`, of all->agent_count, are the
 * caller's. */
size_t measured_of_method(const struct measured *all, const char *method,
                          struct measured_agent *agents,
                          struct measured *measured);

struct metric {
    const char *name; /* of letters, digits and _ */
    const char *unit; /* "1" where it has none */
    const char *help;
    /* NAN where the run has no such thing. */
    double (*value)(const struct measured *measured);
};

extern const struct metric metrics[]; /* ends with a row without a name */
enum { METRICS = 14 };                /* rows before that */

#endif
