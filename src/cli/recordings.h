/* SPDX-License-Identifier: MIT */
/* Recordings on the command line: files, and folders of hamon-sweep for all
 * their runs. */
#ifndef HAMON_CLI_RECORDINGS_H
#define HAMON_CLI_RECORDINGS_H

#include "base/sha256.h"
#include "base/status.h"
#include "recording/read/recording.h"

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

/* The name by which recording `i` of the `count` at `paths` is labelled: the
 * part of its path that distinguishes it from the others, *length bytes from
 * the returned place in it. That is the file's name, if no other file has it;
 * else folders too, without what all paths end with: of a/run.h5 and b/run.h5
 * "a" and "b". */
const char *recording_label(const char *const *paths, size_t count, size_t i,
                            size_t *length);

/* Text of a path without the %XX by which the names of a sweep's folders have
 * some characters; returns its length, as snprintf. */
size_t recording_plain(const char *path, size_t length, char *text,
                       size_t size);

/* recording_label as text for a picture or a page. */
void recording_label_text(const char *const *paths, size_t count, size_t i,
                          char *text, size_t size);

/* The runs of which a program computes statistics, so that none counts
 * twice. */
struct counted_runs {
    struct counted_run {
        char *path;                 /* owned */
        char identity[SHA256_TEXT]; /* of what determines the run */
    } * items;
    size_t count, room;
};

/* STATUS_INPUT if the recording's run was added before: the same file, a copy,
 * or the same scenario recorded again by the same version of Hamon, whatever
 * its title and record.*. Runs that differ in a setting of `keys` are different
 * rows of a table. Release with counted_runs_release, after failures too. */
enum status counted_runs_add(struct counted_runs *runs,
                             const struct recording *recording,
                             const char *const *keys, size_t key_count,
                             struct error *error);
void counted_runs_release(struct counted_runs *runs);

#endif
