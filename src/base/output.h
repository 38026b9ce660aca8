/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all: written under a temporary name
 * beside its place, then renamed. */
#ifndef HAMON_BASE_OUTPUT_H
#define HAMON_BASE_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *file; /* write here */
    const char *path;
    char *partial; /* the temporary name; NULL for stdout */
    bool force;
};

/* Starts the file `path` (borrowed until the end), or stdout where it is "-".
 * An existing `path` is STATUS_INPUT unless `force`; anything but a regular
 * file, and an input of this process (base/inputs.h), in either case. A
 * directory that is missing is STATUS_INPUT, one that refuses is STATUS_DISK.
 */
enum status output_open(struct output *output, const char *path, bool force,
                        struct error *error);

/* Ends it: `path` is there, whole. STATUS_DISK where what was written did not
 * reach the file, STATUS_INPUT where `path` has come into being meanwhile;
 * then nothing is left. */
enum status output_commit(struct output *output, struct error *error);

/* Is there room for 64 kB more? For a file that another program writes by its
 * temporary name and that is not whole: STATUS_DISK if there is none. */
enum status output_has_room(const struct output *output, struct error *error);

/* Ends it without a trace. */
void output_abandon(struct output *output);

#endif
