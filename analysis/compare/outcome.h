/* SPDX-License-Identifier: MIT */
/* hamon-compare: the agents of all recordings, and the values of the settings
 * by which they are grouped. */
#ifndef HAMON_ANALYSIS_COMPARE_OUTCOME_H
#define HAMON_ANALYSIS_COMPARE_OUTCOME_H

#include "base/status.h"
#include "metrics/measured.h"
#include "recording/read/recording.h"

#include <stdbool.h>
#include <stddef.h>

enum { GROUP_SIZE = 256 };

struct outcome {
    struct measured_agent *agent;
    char **values;           /* of the settings grouped by */
    char group[GROUP_SIZE];  /* values of the settings grouped by */
    char shared[GROUP_SIZE]; /* values of the settings common to a pair of
                              * agents: without file and agent */
};

struct outcomes {
    struct outcome *items; /* by recording */
    size_t count, room;
    struct measured **runs;
    size_t run_count, run_room;
    size_t key_count; /* of the settings grouped by */
    char **paths;     /* (run_count), of the recordings */
    size_t path_room;
    double limit; /* the smallest step limit of all recordings */
};

/* A selection of agents: each text that is not NULL must be equal. */
struct who {
    const char *method, *group, *shared;
};

bool who_has(const struct who *who, const struct outcome *outcome);

/* `agents` has room for all; returns their number. */
size_t outcomes_select(const struct outcomes *outcomes, const struct who *who,
                       const struct measured_agent **agents);

void outcomes_release(struct outcomes *outcomes);

/* Appends an outcome for each agent. `keys` are the settings to group by.
 * STATUS_INPUT if the recording has no agents. */
enum status outcomes_read(const struct recording *recording,
                          const char *const *keys, size_t key_count,
                          struct outcomes *outcomes, struct error *error);

/* Can outcomes of this recording be grouped by `key`: a setting that it has,
 * or file, or agent? */
bool outcomes_know(const struct recording *recording, const char *key);

/* Finds for each agent that of method lee with the same problem in the same
 * group (over_lee). */
void outcomes_pair(const struct outcomes *outcomes);

/* Is a search that walks from cell to cell by 4 moves compared with a wave? */
bool outcomes_have_staircases(const struct outcomes *outcomes);

#endif
