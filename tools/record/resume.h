/* SPDX-License-Identifier: MIT */
/* The scenario for resuming a recording. */
#ifndef HAMON_TOOLS_RECORD_RESUME_H
#define HAMON_TOOLS_RECORD_RESUME_H

#include "cli/cli.h"
#include "scenario/scenario.h"

/* The reason why nothing is left to do, as text after the file's name; "" if
 * something is left. */
enum { RESUME_WORDS = 120 };

/* Reads the scenario back from the recording at `path`, or `source` if its path
 * is not NULL, with the overrides of `source`. STATUS_INPUT, with the
 * difference, if it differs from the recorded one in more than its steps.
 * `done`: why nothing is left to do. Release with scenario_release. */
enum status resume_scenario(const char *path,
                            const struct scenario_source *source,
                            struct scenario **scenario, char done[RESUME_WORDS],
                            struct error *error);

/* Reads the recorded frames, unless the file is large, and warns of those with
 * a wrong checksum, with their names. */
enum status resume_check_rows(const struct cli *cli, const char *path,
                              struct error *error);

#endif
