/* SPDX-License-Identifier: MIT */
/* Whole reads and writes at places of a file, and files that appear whole. */
#ifndef HAMON_RECORDING_DISK_H
#define HAMON_RECORDING_DISK_H

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

/* A file of a new name beside `path` (those that killed programs have left for
 * it are taken away), readable as the umask allows; the name
 * comes in memory of the caller's (memory_release). */
enum status disk_temporary(const char *path, char **temporary,
                           struct error *error);

/* Gives `temporary` the name `path`, for good: the directory is synced. Where
 * not `force`, an existing path is STATUS_INPUT. */
enum status disk_rename(const char *temporary, const char *path, bool force,
                        struct error *error);

/* Does the file that is open stand at `path` still? Between its opening and
 * its lock another may have been renamed over it. */
bool disk_stands_at(int fd, const char *path);

#endif
