/* SPDX-License-Identifier: MIT */
/* What is measured of a run: what became of its agents (captures, paths,
 * arrivals, searches), and the metrics, each a const row with a name and a
 * function on what was measured. hamon-sweep, hamon-compare and hamon-check
 * read agents by it; summary.h has medians and quartiles over runs. */
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
    double speed; /* cells a step, as the scenario has it */
    double start[GRID_AXES];
    double path_length;   /* cells, over the recorded rows */
    double geodesic;      /* cells, from its start to the target's; INFINITY
                           * if there is no path, NAN without a target */
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
    double limit;  /* the step limit of the scenario */
    bool team;     /* the chase ends at the first capture */
    struct measured_agent *agents;
    size_t agent_count;
    bool has_target;
    double target[GRID_AXES];       /* where it starts */
    int64_t far_cells, far_reached; /* see the metric reach; −1 unknown */
};

/* The speed of each agent as the scenario has it, NAN if it does not say. */
void measured_speeds(const struct recording *recording, double *speeds,
                     size_t agents);

/* Columns of a table as doubles, each from memory_new; *rows of them are in
 * use, and no column is read if that is 0. */
enum status measured_table(const struct recording *recording, const char *table,
                           const char *const *names, int columns,
                           double **column, size_t *rows, struct error *error);

/* Of what measured_init reads, the agents alone, without their arrivals and
 * plans. The geodesic is of step 0, and is solved for the target's start. */
enum status measured_read_agents(struct measured *measured,
                                 const struct recording *recording,
                                 struct geodesic *geodesic,
                                 struct error *error);

/* Reads the recording. Geodesics are exact in 2D, fast marching's in 3D, on
 * the map as it is at step 0. Release with measured_release, after failures
 * too. */
enum status measured_init(struct measured *measured,
                          const struct recording *recording,
                          struct error *error);
void measured_release(struct measured *measured);

/* The same run with its agents of one method only, whose number is returned;
 * the rest is as in `all`. `agents`, all->agent_count of them, are the
 * caller's. */
size_t measured_of_method(const struct measured *all, const char *method,
                          struct measured_agent *agents,
                          struct measured *measured);

/* The time of the agents' chase: until the first capture if that ends it, else
 * until all have captured. There is at least one agent. */
struct survival_time measured_chase(const struct measured *measured);

/* A time an agent, or that of the chase alone if its first capture ends it;
 * `times` has room for one an agent. Returns how many there are. */
size_t measured_times(const struct measured *measured,
                      struct survival_time *times);

struct metric {
    const char *name; /* of letters, digits and _ */
    const char *unit; /* "1" if it has none */
    const char *help;
    /* NAN if the run has no such thing. */
    double (*value)(const struct measured *measured);
};

extern const struct metric metrics[]; /* ends with a row without a name */
enum { METRICS = 14 };                /* rows before that */

#endif
