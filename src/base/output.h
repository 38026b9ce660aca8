/* SPDX-License-Identifier: MIT */
/* An output file that appears complete or not at all. It is written under a
 * temporary name in the same directory, then renamed. */
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

/* Starts the file `path` (borrowed until the end), or stdout if it is "-". An
 * existing `path` is STATUS_INPUT unless `force`. Anything but a regular file,
 * a symbolic link, and an input of this process (base/inputs.h) is always
 * STATUS_INPUT. A
 * missing directory is STATUS_INPUT, one that cannot be written is
 * STATUS_DISK. */
enum status output_open(struct output *output, const char *path, bool force,
                        struct error *error);

/* Completes the file: `path` exists afterwards. STATUS_DISK if the data did not
 * reach the file, STATUS_INPUT if `path` was created meanwhile; then no file is
 * left. */
enum status output_commit(struct output *output, struct error *error);

/* Completes files of one directory as one set: all exist afterwards. After an
 * error no new file is left, but one that `force` replaced is gone. If the
 * process is killed meanwhile, the next output_open in the directory, of any
 * process, removes what it left. */
enum status output_commit_all(struct output *const *outputs, size_t count,
                              struct error *error);

/* Writes what is buffered: another program may read the file under its
 * temporary name. */
enum status output_flush(struct output *output, struct error *error);

/* Is there disk space for 64 kB more? STATUS_DISK if not. For a file that
 * another program writes under the temporary name and that is not complete. */
enum status output_has_room(const struct output *output, struct error *error);

/* Removes the temporary file. */
void output_abandon(struct output *output);

#endif
