/* SPDX-License-Identifier: MIT */
/* Runs the scenario again, and compares it step by step with its recording.
 *
 * The scenario in the recording is run by the code of the recorder
 * (run/simulate.h), on the recorded map, and all recorded data of a step are
 * compared bit for bit: settings, versions of the map, fields, emissions,
 * arrivals, trajectories, plans, captures and the end. This does not find a
 * fault of that code itself: for that, the checks of waves.c and chase.c share
 * no code with it. */
#ifndef HAMON_ANALYSIS_CHECK_REPLAY_H
#define HAMON_ANALYSIS_CHECK_REPLAY_H

#include "analysis/check/recording.h"
#include "analysis/check/scenario.h"

/* Fills the findings CHECK_REPLAY … of the report. The scenario is the
 * recording's (replay_scenario). Needs the memory and the time of the run. */
enum status check_replay(const struct recording *recording,
                         const struct scenario *scenario,
                         struct check_report *report, struct error *error);

#endif
