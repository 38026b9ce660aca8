/* SPDX-License-Identifier: MIT */
/* The scenario that a recording carries, read again to be run again. */
#ifndef HAMON_ANALYSIS_CHECK_SCENARIO_H
#define HAMON_ANALYSIS_CHECK_SCENARIO_H

#include "analysis/check/finding.h"
#include "recording/read/recording.h"
#include "scenario/scenario.h"

/* From /provenance/resolved, on the recorded map if the map is not drawn in
 * that text. *scenario becomes NULL if there is none that can be run; `finding`
 * then says why, as a fault if the recording contradicts itself. It also gets
 * the other texts of /provenance, compared with what the scenario prints.
 * Release with scenario_release. */
enum status replay_scenario(const struct recording *recording,
                            struct finding *finding, struct scenario **scenario,
                            struct error *error);

/* A version of the recorded map, into a terrain of its grid (terrain_init);
 * STATUS_INPUT if it has a cell that no scenario makes. */
enum status scenario_map_read(const struct recording *recording, size_t version,
                              struct terrain *map, struct error *error);

#endif
