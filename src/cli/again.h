/* SPDX-License-Identifier: MIT */
/* Recordings for programs that show fields, recorded or not. */
#ifndef HAMON_CLI_AGAIN_H
#define HAMON_CLI_AGAIN_H

#include "cli/cli.h"
#include "recording/read/recording.h"

/* As replay_open; recording_whole makes the run again when it is first
 * required. A line on stderr then says so, and a progress bar follows. */
enum status again_open(const struct cli *cli, const char *path,
                       struct recording **recording, struct error *error);

#endif
