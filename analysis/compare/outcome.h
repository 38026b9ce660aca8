/* SPDX-License-Identifier: MIT */
/* hamon-compare: what became of each agent of a recording. What all programs
 * measure is read by metrics/metrics.h; turns, headings and the time of plans
 * are compared here alone. */
#ifndef HAMON_ANALYSIS_COMPARE_OUTCOME_H
#define HAMON_ANALYSIS_COMPARE_OUTCOME_H

#include "base/status.h"
#include "recording/read/recording.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { METHOD_NAME_SIZE = 32, GROUP_SIZE = 256 };

/* NAN, or −1 for whole numbers, if the recording does not say. */
struct outcome {
    char method[METHOD_NAME_SIZE];
    char group[GROUP_SIZE];  /* values of the settings grouped by */
    char shared[GROUP_SIZE]; /* of those that a pair of agents shares: without
                              * file and agent */
    int64_t capture;         /* the step, or −1: not captured */
    int64_t cap;             /* the last step there was */
    double limit;            /* the step limit of the scenario */
    size_t recording;        /* the number of its recording, from 0 */
    bool team;               /* the chase ends at the first capture */
    double length;           /* cells gone, to the capture or the cap */
    int64_t turns;           /* changes of heading by more than a degree */
    int64_t updates;         /* headings that an arrival gave */
    double geodesic;         /* cells from its start to the target's, exact */
    double marched;          /* the same by fast marching, in 3D */
    /* The shortest path from its start to the target where that was captured,
     * exact in 2D, fast marching's in 3D, less what was left between the two
     * then: what `length` is compared with. In 3D of a still target alone. */
    double shortest;
    double waited; /* of the steps to the capture, the share before its first
                    * heading */
    double speed;  /* cells a step */
    int moves;     /* of searches, from a cell; 0: unknown */
    double step_nanoseconds; /* of the whole simulation, its mean */
    double nanoseconds;      /* a plan, the median of its own */
    double expansions;       /* a plan, likewise */
    /* Start, target's start, speed and radius, walls, regions, events, target's
     * motion, seed: what a pair of agents must share to be compared step by
     * step. */
    uint64_t problem;
};

struct outcomes {
    struct outcome *items;
    size_t count, room;
    size_t recordings;
};

void outcomes_release(struct outcomes *outcomes);

/* Appends an outcome an agent. `keys` are the settings to group by.
 * STATUS_INPUT where the recording has no agents. */
enum status outcomes_read(const struct recording *recording,
                          const char *const *keys, size_t key_count,
                          struct outcomes *outcomes, struct error *error);

/* Can outcomes of this recording be grouped by `key`: a setting that it has,
 * or file, or agent? */
bool outcomes_know(const struct recording *recording, const char *key);

/* Does a search that walks from cell to cell by 4 moves stand beside a wave? */
bool outcomes_have_staircases(const struct outcomes *outcomes);

#endif
