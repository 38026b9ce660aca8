/* SPDX-License-Identifier: MIT */
/* The times that statistics are of: an agent's, or a whole chase's. */
#ifndef HAMON_ANALYSIS_COMPARE_TIMES_H
#define HAMON_ANALYSIS_COMPARE_TIMES_H

#include "analysis/compare/outcome.h"
#include "metrics/survival.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which agents: each text that is not NULL must be theirs. */
struct who {
    const char *method, *group, *shared;
};

bool who_has(const struct who *who, const struct outcome *outcome);

struct timed {
    struct survival_time time;
    uint64_t problem; /* of outcome.h, of all its agents */
    size_t recording;
};

/* Of those agents the chases: all of them that are in one recording. If the
 * chase ends at the first capture its time is that of the first, else that of
 * the last, and it is captured once all are. `times` has room for an item an
 * agent; returns how many there are. */
size_t times_of_chases(const struct outcomes *outcomes, const struct who *who,
                       struct timed *times);

/* The same, but a time an agent if the chase does not end at the first
 * capture. */
size_t times_of_agents(const struct outcomes *outcomes, const struct who *who,
                       struct timed *times);

/* The least step limit of all. */
double times_limit(const struct outcomes *outcomes);

#endif
