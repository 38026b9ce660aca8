/* SPDX-License-Identifier: MIT */
/* The rules of chases, implemented a second time without the run's own code, as
 * an oracle for recordings: agents.c has the trajectories, chase.h the rules of
 * agents, waves and plans, arrival.h the first arrivals of waves, rules.c is
 * the program. */
#ifndef HAMON_TESTS_ANALYSIS_RULES_REPORT_H
#define HAMON_TESTS_ANALYSIS_RULES_REPORT_H

#include "analysis/check/finding.h"
#include "recording/read/recording.h"

enum check {
    CHECK_QUANTITY,
    CHECK_RANGE,
    CHECK_SPEED,
    CHECK_WALLS,
    CHECK_SCHEDULE, /* from here to CHECK_CAPTURES: chase.c */
    CHECK_HEADINGS,
    CHECK_STEPS,
    CHECK_STATES,
    CHECK_CAPTURES,
    CHECK_END,
    CHECK_LISTENED,
    CHECK_ROUTES,
    CHECK_ALONG,
    CHECK_DETECTED,
    CHECKS
};

struct check_report {
    struct finding finding[CHECKS]; /* with their names */
};

/* In agents.c. */
enum status check_quantities(const struct recording *recording,
                             struct check_report *report, struct error *error);
enum status check_trajectories(const struct recording *recording,
                               struct check_report *report,
                               struct error *error);

/* In arrival.c. */
enum status check_detected(const struct recording *recording,
                           struct check_report *report, struct error *error);

#endif
