/* SPDX-License-Identifier: MIT */
/* hamon-check: all checks of one recording. A finding (finding.h) is the result
 * of one check. The law of the waves is in law.c, cell by cell from
 * docs/explanation/wave.md, and shares no code with the stepper; waves.c
 * passes the rows to the oracles (wave.h); agents.c has the trajectories,
 * chase.h the rules of agents, waves and plans. replay.h runs the scenario
 * again and compares it with the recording. */
#ifndef HAMON_ANALYSIS_CHECK_RECORDING_H
#define HAMON_ANALYSIS_CHECK_RECORDING_H

#include "analysis/check/finding.h"
#include "recording/read/recording.h"

enum check {
    CHECK_CHECKSUMS,
    CHECK_STENCIL,
    CHECK_SUPPORT,
    CHECK_PATHS,
    CHECK_ENERGY,
    CHECK_RADIAL,
    CHECK_MIRRORS,
    CHECK_GRADIENT,
    CHECK_ARRIVAL,
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
    CHECK_REPLAY, /* settings and layout; the others in this order */
    CHECK_REPLAY_MAP,
    CHECK_REPLAY_FIELDS,
    CHECK_REPLAY_EMISSIONS,
    CHECK_REPLAY_ARRIVALS,
    CHECK_REPLAY_AGENTS,
    CHECK_REPLAY_TARGET,
    CHECK_REPLAY_PLANS,
    CHECK_REPLAY_CAPTURES,
    CHECK_REPLAY_END,
    CHECKS
};

struct check_report {
    struct finding finding[CHECKS]; /* with their names */
};

/* Fills the report. A check that finds faults is no error; a recording that
 * cannot be read, or whose settings are inconsistent, is one. Needs memory for
 * a few rows, for any length of the recording, and with `replay` the memory of
 * the run. */
enum status check_recording(const struct recording *recording, bool replay,
                            struct check_report *report, struct error *error);

/* The parts of check_recording, each filling its findings: waves.c, agents.c.
 * The scenario is that of the recording (scenario.h), or NULL. */
struct scenario;
enum status check_waves(const struct recording *recording,
                        const struct scenario *scenario,
                        struct check_report *report, struct error *error);
enum status check_quantities(const struct recording *recording,
                             struct check_report *report, struct error *error);
enum status check_trajectories(const struct recording *recording,
                               struct check_report *report,
                               struct error *error);

#endif
