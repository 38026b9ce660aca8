/* SPDX-License-Identifier: MIT */
/* The times for statistics: of an agent, or of a whole chase. */
#ifndef HAMON_ANALYSIS_COMPARE_TIMES_H
#define HAMON_ANALYSIS_COMPARE_TIMES_H

#include "analysis/compare/outcome.h"
#include "metrics/survival.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A selection of agents: each text that is not NULL must be equal. */
struct who {
    const char *method, *group, *shared;
};

bool who_has(const struct who *who, const struct outcome *outcome);

struct timed {
    struct survival_time time;
    uint64_t problem; /* of outcome.h, for all its agents */
    size_t recording;
    uint64_t course; /* likewise */
};

/* The chases of those agents: all of them that are in one recording. If the
 * chase ends at the first capture its time is that of the first, else that of
 * the last, and it is captured once all have captured. `times` has room for one
 * for each agent; returns their number. */
size_t times_of_chases(const struct outcomes *outcomes, const struct who *who,
                       struct timed *times);

/* The same, but a time for each agent if the chase does not end at the first
 * capture. */
size_t times_of_agents(const struct outcomes *outcomes, const struct who *who,
                       struct timed *times);

/* The minimum step limit. */
double times_limit(const struct outcomes *outcomes);

#endif
