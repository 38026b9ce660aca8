/* SPDX-License-Identifier: MIT */
/* The run again, step by step beside its recording.
 *
 * The scenario that the recording carries is run by the code of the recorder
 * (run/simulate.h), on the recorded map, and whatever is recorded of a step is
 * compared with it bit for bit: settings, versions of the map, fields,
 * emissions, arrivals, trajectories, plans, captures and the end. A fault of
 * that code itself is not found by this: the checks of waves.c and chase.c
 * share no line with it. */
#ifndef HAMON_ANALYSIS_CHECK_REPLAY_H
#define HAMON_ANALYSIS_CHECK_REPLAY_H

#include "analysis/check/recording.h"
#include "analysis/check/scenario.h"

/* Fills the findings CHECK_REPLAY … of the report. The scenario is the
 * recording's (replay_scenario). Takes the memory and the time of the run. */
enum status check_replay(const struct recording *recording,
                         const struct scenario *scenario,
                         struct check_report *report, struct error *error);

#endif
