/* SPDX-License-Identifier: MIT */
/* The scenario that a recording goes on with. */
#ifndef HAMON_TOOLS_RESUME_H
#define HAMON_TOOLS_RESUME_H

#include "cli.h"
#include "scenario/scenario.h"

#include <stdbool.h>

/* Reads the scenario back from the recording at `path`, or takes the one of
 * `given` (NULL: none), with the overrides of `set`. STATUS_INPUT where it is
 * another than the recorded one by more than its steps, saying in what. *done:
 * the recording has all its steps. Release with scenario_release. */
enum status resume_scenario(const char *path, const char *given,
                            const struct cli_list *set,
                            struct scenario **scenario, bool *done,
                            struct error *error);

#endif
