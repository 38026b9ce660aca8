/* SPDX-License-Identifier: MIT */
/* The scenario in a recording, read so that it can be run again. */
#ifndef HAMON_ANALYSIS_CHECK_SCENARIO_H
#define HAMON_ANALYSIS_CHECK_SCENARIO_H

#include "analysis/check/finding.h"
#include "recording/read/recording.h"
#include "scenario/scenario.h"

/* From /provenance/resolved, on the recorded map if the map is not drawn in
 * that text. *scenario becomes NULL if none can be run; `finding` then has the
 * reason, as a fault if the recording contradicts itself. The text that was
 * given must give the same settings, with the result in `finding`. Release with
 * scenario_release. */
enum status check_scenario(const struct recording *recording,
                           struct finding *finding, struct scenario **scenario,
                           struct error *error);

#endif
