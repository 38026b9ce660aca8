/* SPDX-License-Identifier: MIT */
/* hamon-check: every check that there is, on one recording. A finding
 * (finding.h) is what one check found. The law of the waves stands in law.c,
 * cell by cell from docs/science.md, and shares no line with the stepper; the
 * oracles (wave.h) are fed with the rows by waves.c; agents.c has the
 * trajectories, chase.h the laws of agents, waves and plans. replay.h runs the
 * scenario again beside the recording. */
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
    CHECK_SCHEDULE, /* these to CHECK_CAPTURES: chase.c */
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
 * cannot be read or whose settings make no sense is. Keeps a handful of rows
 * in memory, whatever the length of the recording, and with `replay` what the
 * run itself takes. */
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
