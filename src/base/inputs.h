/* SPDX-License-Identifier: MIT */
/* The files that this process has read. No output may replace one of them,
 * under any name or link. */
#ifndef HAMON_BASE_INPUTS_H
#define HAMON_BASE_INPUTS_H

#include "base/status.h"

#include <stddef.h>

/* Turns this on. Before the call, and in programs that use the library only, no
 * file is remembered and no output is rejected. */
void inputs_watch(void);

/* Remembers an open file by its device and inode. Any thread may call it. */
enum status inputs_note(int fd, struct error *error);

/* Reads the whole file at `path`, or standard input if it is "-", appends a
 * NUL, and remembers the file. If it is longer than `limit`, *text is a first
 * part that is longer than `limit`. The text is from memory_new. */
enum status inputs_read(const char *path, size_t limit, char **text,
                        size_t *length, struct error *error);

/* STATUS_INPUT if the file at `path` is one of them. */
enum status inputs_refuse(const char *path, struct error *error);

#endif
