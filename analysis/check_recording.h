/* SPDX-License-Identifier: MIT */
/* Every check that there is, on one recording. */
#ifndef HAMON_ANALYSIS_CHECK_RECORDING_H
#define HAMON_ANALYSIS_CHECK_RECORDING_H

#include "check_finding.h"
#include "recording/recording.h"

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
    CHECK_RANGE,
    CHECK_SPEED,
    CHECK_WALLS,
    CHECKS
};

struct check_report {
    struct finding finding[CHECKS]; /* with their names */
};

/* Fills the report. A check that finds faults is no error; a recording that
 * cannot be read or whose settings make no sense is. Keeps a handful of rows
 * in memory, whatever the length of the recording. */
enum status check_recording(const struct recording *recording,
                            struct check_report *report, struct error *error);

/* The parts of check_recording, each filling its findings. */
enum status check_checksums(const struct recording *recording,
                            struct check_report *report, struct error *error);
enum status check_waves(const struct recording *recording,
                        struct check_report *report, struct error *error);
enum status check_trajectories(const struct recording *recording,
                               struct check_report *report,
                               struct error *error);

#endif
