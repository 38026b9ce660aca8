/* SPDX-License-Identifier: MIT */
/* Functions that Linux or glibc has and POSIX has not. If configure does not
 * find one, or the kernel rejects it, a fallback with the same result is
 * used. */
#ifndef HAMON_BASE_SYSTEM_H
#define HAMON_BASE_SYSTEM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* Renames a file, but never replaces another (errno EEXIST); false with errno.
 * renameat2, or link and unlink: link never replaces a file either. */
bool system_rename_new(const char *from, const char *to);

/* $TMPDIR, or /tmp. */
const char *system_temporary_folder(void);

/* A file without a name, for reading and writing, closed on exec; −1 with
 * errno. memfd_create, or a deleted file in
 * system_temporary_folder(). */
int system_nameless_file(void);

/* Starts to write the cached data of a file to disk and does not wait.
 * sync_file_range, or nothing: it only saves time. */
void system_begin_writeback(int fd);

/* Copies up to `bytes` from one file to another inside the kernel; the number
 * of bytes, or −1 with errno: then use read and write. copy_file_range. */
ssize_t system_copy_range(int from, off_t from_offset, int to, off_t to_offset,
                          size_t bytes);

/* Reserves disk space beyond the end of the file; false with errno, EOPNOTSUPP
 * if that is not possible. fallocate. */
bool system_reserve_ahead(int fd, off_t bytes);

/* The path of the running program; false with errno. /proc/self/exe, or the
 * file that the shell found for the program's name. */
bool system_program(char path[PATH_MAX]);

/* The present characters of a line, if the file is a terminal that knows it, or
 * $COLUMNS if it is one that does not; else 0. TIOCGWINSZ. */
int system_terminal_width(FILE *file);

/* Sorts in place by an order in which no two items are equal. qsort_r is not
 * used: its arguments have another order on other systems. */
void system_sort(void *items, size_t count, size_t size,
                 int (*order)(const void *a, const void *b, void *context),
                 void *context);

#endif
