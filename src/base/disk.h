/* SPDX-License-Identifier: MIT */
/* Whole reads and writes at places of a file, and files that appear whole. */
#ifndef HAMON_BASE_DISK_H
#define HAMON_BASE_DISK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All bytes, whatever the pieces the kernel takes them in; false with errno.
 * A read past the end of the file fails with EIO. */
bool disk_write(int fd, const void *data, size_t bytes, uint64_t offset);
bool disk_read(int fd, void *data, size_t bytes, uint64_t offset);

/* Copies between files, in the kernel where it can. */
bool disk_copy(int from, uint64_t from_offset, int to, uint64_t to_offset,
               uint64_t bytes);

/* Room on the disk for all of the file, so that no later write can lack it. */
bool disk_reserve(int fd, uint64_t bytes);

/* A new file PREFIX PID-N in the directory of `path`, open for writing, locked,
 * readable as the umask allows; −1 with errno. It ends by disk_move or
 * disk_discard. *name is the caller's (memory_release). */
int disk_create(const char *path, const char *prefix, char **name);

/* Removes a file that disk_create or disk_provisional was called for, unless
 * another stands at its name by now; errno stays. */
void disk_discard(const char *name);

/* Removes all such files that were neither moved, kept nor discarded: for a
 * process that ends at once. Safe in a signal's handler, and takes no memory.
 */
void disk_discard_all(void);

/* The file that is open as `fd`, when it stands at `name`, is removed by
 * disk_discard and disk_discard_all too, until disk_keep; false with errno. It
 * may get the name later. */
bool disk_provisional(const char *name, int fd);
void disk_keep(const char *name);

/* Removes such files there whose programs were killed. */
void disk_remove_leftovers(const char *path, const char *prefix);

/* Both, the new file closed, with the prefix `.BASE.` where BASE is the name of
 * the file at `path`. */
enum status disk_temporary(const char *path, char **temporary,
                           struct error *error);

/* Renames, atomically, without replacing anything unless `force`; false with
 * errno (EEXIST: there is such a file). */
bool disk_move(const char *temporary, const char *path, bool force);

/* Gives `temporary` the name `path`, for good: the directory is synced. Where
 * not `force`, an existing path is STATUS_INPUT. */
enum status disk_rename(const char *temporary, const char *path, bool force,
                        struct error *error);

/* Does the file that is open stand at `path` still? Between its opening and
 * its lock another may have been renamed over it. */
bool disk_stands_at(int fd, const char *path);

#endif
