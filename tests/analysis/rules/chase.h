/* SPDX-License-Identifier: MIT */
/* The rules of a chase, implemented a second time from
 * docs/explanation/chases.md, without the run's own code, and checked on the
 * recording: when and where waves are emitted, the heading at an arrival, the
 * end of a step along it, the distance of a capture, the states after it, and
 * the end of the run. */
#ifndef HAMON_TESTS_ANALYSIS_RULES_CHASE_H
#define HAMON_TESTS_ANALYSIS_RULES_CHASE_H

#include "analysis/check/scenario.h"
#include "tests/analysis/rules/report.h"

/* The agents of a recording, a row at a time. */
struct chase {
    const struct recording *recording;
    const struct scenario *scenario;
    size_t count;                          /* number of recorded agents */
    const struct agent_settings **setting; /* (count) */
    int64_t *captured;                     /* (count): step, or INT64_MAX */
    /* Of the last row read and of the one before it; (axis, count). */
    double *at[2][GRID_AXES], *heading[2][GRID_AXES], *state[2];
    double target[2][GRID_AXES], target_state[2];
    int64_t step[2]; /* −1: there is no such row */
    bool has_target;
    uint8_t *wall; /* (cells): of `version` */
    size_t version;
};

/* Release with chase_release, after a failure too. */
enum status chase_init(struct chase *chase, const struct recording *recording,
                       const struct scenario *scenario, struct error *error);
void chase_release(struct chase *chase);

/* Reads the row into [0]; the one before becomes [1]. A row that cannot be read
 * has step −1: the check of the checksums reports it. */
void chase_read(struct chase *chase, int64_t row);

/* Is [1] the step before the one in [0]? */
bool chase_is_next(const struct chase *chase);

/* The walls that were in force at `step`, in chase->wall. */
enum status chase_walls(struct chase *chase, int64_t step, struct error *error);

/* Of an agent or SPOT_TARGET, in [row]. */
void chase_place(const struct chase *chase, int row, int agent,
                 double at[GRID_AXES]);

/* Is it steered by the headings at arrivals? */
bool chase_turns_at_arrivals(const struct chase *chase, size_t agent);

/* The last step, as counted in recorded tables. */
int64_t chase_last_step(const struct recording *recording);

enum status check_chase(const struct recording *recording,
                        const struct scenario *scenario,
                        struct check_report *report, struct error *error);

/* Checks arrivals against the recorded waves: each follows from the detector's
 * rule at the agent's position, and none is missing (listen.c). */
enum status check_listening(const struct recording *recording,
                            const struct scenario *scenario,
                            struct check_report *report, struct error *error);

/* Checks plans against a search of the recorded map, and the walk along them
 * (routes.c). */
enum status check_routes(const struct recording *recording,
                         const struct scenario *scenario,
                         struct check_report *report, struct error *error);

#endif
