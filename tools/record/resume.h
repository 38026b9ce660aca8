/* SPDX-License-Identifier: MIT */
/* The scenario that a recording is resumed with. */
#ifndef HAMON_TOOLS_RECORD_RESUME_H
#define HAMON_TOOLS_RECORD_RESUME_H

#include "cli/cli.h"
#include "scenario/scenario.h"

/* Why nothing is left to do, as text after the file's name; "" if something
 * is. */
enum { RESUME_WORDS = 120 };

/* Reads the scenario back from the recording at `path`, or takes the one of
 * `given` (NULL: none), with the overrides of `set`. STATUS_INPUT where it is
 * another than the recorded one by more than its steps, saying in what. `done`:
 * why nothing is left to do. outline: of a map that another rank has read and
 * compared, or NULL. Release with scenario_release. */
enum status resume_scenario(const char *path, const char *given,
                            const struct cli_list *set,
                            const struct map_outline *outline,
                            struct scenario **scenario, char done[RESUME_WORDS],
                            struct error *error);

/* Reads the rows that are there, unless the file is large, and warns of those
 * with a wrong checksum, naming them. */
enum status resume_tell_rows(const struct cli *cli, const char *path,
                             struct error *error);

#endif
