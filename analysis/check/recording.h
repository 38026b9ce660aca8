/* SPDX-License-Identifier: MIT */
/* hamon-check: all checks of one recording. A finding (finding.h) is the result
 * of one check. The law of the waves is in law.c, cell by cell from
 * docs/explanation/wave.md, and shares no code with the stepper; waves.c
 * passes the rows to the oracles (wave.h). again.h records the run again and
 * compares all that was written. The rules of chases and of arrivals,
 * implemented a second time, are tests (tests/analysis/rules). */
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
    CHECK_AGAIN, /* settings, layout and attributes; the others in this order */
    CHECK_AGAIN_MAP,
    CHECK_AGAIN_FIELDS,
    CHECK_AGAIN_EMISSIONS,
    CHECK_AGAIN_ARRIVALS,
    CHECK_AGAIN_AGENTS,
    CHECK_AGAIN_TARGET,
    CHECK_AGAIN_PLANS,
    CHECK_AGAIN_CAPTURES,
    CHECK_AGAIN_END,
    CHECKS
};

struct check_report {
    struct finding finding[CHECKS]; /* with their names */
};

/* Fills the report. A check that finds faults is no error; a recording that
 * cannot be read, or whose settings are inconsistent, is one. Needs memory for
 * a few rows, for any length of the recording, and with `again` the memory of
 * the run and of a second recording. */
enum status check_recording(const struct recording *recording, bool again,
                            struct check_report *report, struct error *error);

/* The laws of fields, in waves.c. The scenario is that of the recording
 * (scenario.h), or NULL. */
struct scenario;
enum status check_waves(const struct recording *recording,
                        const struct scenario *scenario,
                        struct check_report *report, struct error *error);
#endif
