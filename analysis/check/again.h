/* SPDX-License-Identifier: MIT */
/* Records the run again, and compares all that was written.
 *
 * The scenario in the recording is run by the code of the recorder
 * (run/again.h), on the recorded map, into a second recording in memory. Every
 * variable of both is compared bit for bit, and every attribute, whatever it is
 * called; what cannot be equal is in one list, `not_compared`. This does not
 * find a fault of that code itself: the laws of waves.c share no code with it.
 */
#ifndef HAMON_ANALYSIS_CHECK_AGAIN_H
#define HAMON_ANALYSIS_CHECK_AGAIN_H

#include "analysis/check/recording.h"
#include "scenario/scenario.h"

/* What cannot be equal in two recordings of one run, and why: variables by
 * their path, an attribute by object@name. Ends with a NULL name. */
struct not_compared {
    const char *name, *why;
};
extern const struct not_compared not_compared[];

/* Fills the findings CHECK_AGAIN … of the report. The scenario is the
 * recording's (again_scenario); its record.keyframes may change. Needs the
 * memory and the time of the run. */
enum status check_again(const struct recording *recording,
                        struct scenario *scenario, struct check_report *report,
                        struct error *error);

#endif
