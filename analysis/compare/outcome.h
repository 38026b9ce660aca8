/* SPDX-License-Identifier: MIT */
/* hamon-compare: the results of each agent of a recording. The metrics common
 * to all programs are read by metrics/metrics.h; turns, headings and the time
 * of plans are only compared here. */
#ifndef HAMON_ANALYSIS_COMPARE_OUTCOME_H
#define HAMON_ANALYSIS_COMPARE_OUTCOME_H

#include "base/status.h"
#include "recording/read/recording.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { METHOD_NAME_SIZE = 32, GROUP_SIZE = 256 };

/* NAN, or −1 for integers, if the recording lacks the data. */
struct outcome {
    char method[METHOD_NAME_SIZE];
    char group[GROUP_SIZE];  /* values of the settings grouped by */
    char shared[GROUP_SIZE]; /* values of the settings common to a pair of
                              * agents: without file and agent */
    int64_t capture;         /* the step, or −1: not captured */
    int64_t cap;             /* the last step of the recording */
    double limit;            /* the step limit of the scenario */
    size_t recording;        /* the number of its recording, from 0 */
    bool team;               /* the chase ends at the first capture */
    double length;           /* cells walked, until the capture or the cap */
    int64_t turns;           /* changes of heading by more than a degree */
    int64_t updates;         /* headings given by an arrival */
    double geodesic;         /* cells from its start to the target's, exact */
    double marched;          /* the same by fast marching, in 3D */
    /* The length of the shortest path from its start to the target's position
     * at the capture, exact in 2D, by fast marching in 3D, minus the distance
     * between the two at the capture. It is the reference for `length`. In 3D
     * only for a still target. */
    double shortest;
    double waited; /* the fraction of the steps to the capture before its first
                    * heading */
    double speed;  /* cells a step */
    int moves;     /* of its search, from a cell; 0: unknown */
    double step_nanoseconds; /* of the whole simulation, mean */
    double nanoseconds;      /* for a plan, the median of its plans */
    double expansions;       /* for a plan, the median */
    /* Start, target's start, speed and radius, walls, regions, events, target's
     * motion, seed: all that a pair of agents must have in common to be
     * compared step by step. */
    uint64_t problem;
    /* A hash of all positions of all agents and the target, from their
     * checksums, and of the agent's number. If two seeds have the same, the
     * seed changes nothing in the chase. */
    uint64_t course;
};

struct outcomes {
    struct outcome *items;
    size_t count, room;
    size_t recordings;
};

void outcomes_release(struct outcomes *outcomes);

/* Appends an outcome for each agent. `keys` are the settings to group by.
 * STATUS_INPUT if the recording has no agents. */
enum status outcomes_read(const struct recording *recording,
                          const char *const *keys, size_t key_count,
                          struct outcomes *outcomes, struct error *error);

/* Can outcomes of this recording be grouped by `key`: a setting that it has,
 * or file, or agent? */
bool outcomes_know(const struct recording *recording, const char *key);

/* Is a search that walks from cell to cell by 4 moves compared with a wave? */
bool outcomes_have_staircases(const struct outcomes *outcomes);

#endif
