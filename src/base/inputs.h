/* SPDX-License-Identifier: MIT */
/* The files that this process has read. No output may replace one of them, by
 * whatever name or link it is reached. */
#ifndef HAMON_BASE_INPUTS_H
#define HAMON_BASE_INPUTS_H

#include "base/status.h"

#include <stddef.h>

/* From now on; before, and in what is linked to the library alone, nothing is
 * remembered and nothing refused. */
void inputs_watch(void);

/* Remembers the open file by its device and number. Any thread may call. */
enum status inputs_note(int fd, struct error *error);

/* Reads the file at `path`, or standard input where it is "-", whole and with a
 * NUL behind it, and remembers it; of one that is longer than `limit` a part
 * that is longer. The text is from memory_new. */
enum status inputs_read(const char *path, size_t limit, char **text,
                        size_t *length, struct error *error);

/* STATUS_INPUT if the file at `path` is one of them. */
enum status inputs_refuse(const char *path, struct error *error);

#endif
