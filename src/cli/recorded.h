/* SPDX-License-Identifier: MIT */
/* A scenario in place of a recording: hamon-record records it into a temporary
 * file, which is removed when this program ends, also by a signal. */
#ifndef HAMON_CLI_RECORDED_H
#define HAMON_CLI_RECORDED_H

#include <stdbool.h>

/* Does the name end in .cfg, and is the file no recording? */
bool recorded_is_scenario(const char *path);

/* Runs hamon-record, and prints a line on stderr unless `quiet`. 0 and *path,
 * which need not be released; or the exit code after an error, which was
 * printed. If a signal comes, hamon-record gets it too, and both end. */
int recorded_make(const char *scenario, bool quiet, const char **path);

#endif
