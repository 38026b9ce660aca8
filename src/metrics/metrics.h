/* SPDX-License-Identifier: MIT */
/* The measurements of a run: the captures, paths, arrivals and searches of its
 * agents; and the metrics, a table of names and functions of these
 * measurements. hamon-sweep, hamon-compare and hamon-check use it to read
 * agents; summary.h has medians and quartiles over runs. */
#ifndef HAMON_METRICS_METRICS_H
#define HAMON_METRICS_METRICS_H

#include "base/status.h"
#include "metrics/geodesic.h"
#include "metrics/survival.h"
#include "recording/read/recording.h"

#include <stddef.h>
#include <stdint.h>

enum { MEASURED_METHOD_SIZE = 32 };

struct measured_agent {
    char method[MEASURED_METHOD_SIZE];
    double speed; /* cells a step, from the scenario */
    double start[GRID_AXES];
    double path_length;   /* cells, over the recorded rows */
    double geodesic;      /* cells, from its start to the target's; INFINITY
                           * if there is no path, NAN without a target */
    int64_t captured;     /* the step, −1 never */
    int64_t arrivals;     /* number that it reacted to */
    double first_arrival; /* steps from the emission; NAN */
    double arrival_error; /* degrees, of that first heading; NAN */
    int64_t plans;        /* number of rows of the table, and their sums */
    double expansions, nanoseconds;
};

/* One recording, read once: the argument of all metrics. */
struct measured {
    int64_t steps; /* of the last row; −1 without rows */
    double limit;  /* the step limit of the scenario */
    bool team;     /* the chase ends at the first capture */
    struct measured_agent *agents;
    size_t agent_count;
    bool has_target;
    double target[GRID_AXES];       /* its initial position */
    int64_t far_cells, far_reached; /* see the metric reach; −1 unknown */
};

/* The speed of each agent from the scenario, NAN if it has none. */
void measured_speeds(const struct recording *recording, double *speeds,
                     size_t agents);

/* Columns of a table as doubles, each from memory_new; *rows of them are in
 * use. If that is 0, no column is read. */
enum status measured_table(const struct recording *recording, const char *table,
                           const char *const *names, int columns,
                           double **column, size_t *rows, struct error *error);

/* A part of measured_init: only the agents, without their arrivals and plans.
 * The geodesic is of step 0, and is solved for the target's start. */
enum status measured_read_agents(struct measured *measured,
                                 const struct recording *recording,
                                 struct geodesic *geodesic,
                                 struct error *error);

/* Reads the recording. Geodesics are exact in 2D, by fast marching in 3D, on
 * the map of step 0. Release with measured_release, after failures too. */
enum status measured_init(struct measured *measured,
                          const struct recording *recording,
                          struct error *error);
void measured_release(struct measured *measured);

/* The same run with only the agents of one method, whose number is returned;
 * the rest is as in `all`. `agents`, with room for all->agent_count, belong to
 * the caller. */
size_t measured_of_method(const struct measured *all, const char *method,
                          struct measured_agent *agents,
                          struct measured *measured);

/* The time of the agents' chase: until the first capture if that ends it, else
 * until all have captured. There is at least one agent. */
struct survival_time measured_chase(const struct measured *measured);

/* The times of all agents, or only that of the chase if its first capture ends
 * it; `times` has room for one for each agent. Returns their number. */
size_t measured_times(const struct measured *measured,
                      struct survival_time *times);

struct metric {
    const char *name; /* of letters, digits and _ */
    const char *unit; /* "1" if it has none */
    const char *help;
    /* NAN if the run lacks the data. */
    double (*value)(const struct measured *measured);
};

extern const struct metric metrics[]; /* ends with an entry without a name */
enum { METRICS = 14 };                /* entries before that */

#endif
