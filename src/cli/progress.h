/* SPDX-License-Identifier: MIT */
/* A progress bar on stderr: only on a terminal, drawn at most ten times a
 * second on one line of the terminal's present width, removed at the end. */
#ifndef HAMON_CLI_PROGRESS_H
#define HAMON_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool shown;       /* stderr is a terminal, and not --quiet */
    const char *unit; /* "steps", "frames" */
    int64_t total;
    double started, drawn; /* seconds */
};

void progress_start(struct progress *progress, bool quiet, const char *unit,
                    int64_t total);

/* `done` of `total`, and bytes written so far (0: not shown). */
void progress_update(struct progress *progress, int64_t done, uint64_t bytes);

/* Removes the bar. */
void progress_end(struct progress *progress);

/* Bytes in words: "1.4 GB". `text` has room for at least 16 characters. */
const char *progress_bytes(uint64_t bytes, char text[16]);

#endif
