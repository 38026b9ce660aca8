/* SPDX-License-Identifier: MIT */
/* Recordings on the command line: files, and folders of hamon-sweep for all
 * their runs. */
#ifndef HAMON_CLI_RECORDINGS_H
#define HAMON_CLI_RECORDINGS_H

#include "base/status.h"

#include <stddef.h>

struct recording_paths {
    char **items; /* (count), owned */
    size_t count, room;
};

/* For each path that is a folder: FOLDER/<any>/run.h5, in the order of the
 * names (numbers in them by value); else the path itself. STATUS_INPUT if a
 * folder has none. Release with recording_paths_release, after failures too. */
enum status recording_paths_make(struct recording_paths *paths,
                                 char *const *given, size_t count,
                                 struct error *error);
void recording_paths_release(struct recording_paths *paths);

#endif
