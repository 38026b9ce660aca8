/* SPDX-License-Identifier: MIT */
/* What Linux or glibc has and POSIX has not, with a fallback that keeps the
 * same promise if configure does not find it, or the kernel refuses it. */
#ifndef HAMON_BASE_SYSTEM_H
#define HAMON_BASE_SYSTEM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Renames a file, and never replaces another (errno EEXIST); false with errno.
 * renameat2, or a link: that never replaces a file either. */
bool system_rename_new(const char *from, const char *to);

/* A file without a name, for reading and writing, closed in programs that are
 * started; −1 with errno. memfd_create, or a file of $TMPDIR (/tmp). */
int system_nameless_file(void);

/* The kernel begins to write out what the file has in memory, and nothing waits
 * for it. sync_file_range, or nothing: it only saves time. */
void system_begin_writeback(int fd);

/* Copies up to `bytes` from one file to another, in the kernel; the number of
 * bytes, or −1 with errno: then read and write. copy_file_range. */
ssize_t system_copy_range(int from, off_t from_offset, int to, off_t to_offset,
                          size_t bytes);

/* Reserves room on the disk for bytes that the file does not have yet; false
 * with errno, EOPNOTSUPP if that is not to be had. fallocate. */
bool system_reserve_ahead(int fd, off_t bytes);

/* The program that runs, with its directory; false with errno. /proc/self/exe,
 * or where the shell found the program's name. */
bool system_program(char path[PATH_MAX]);

/* Sorts in place by an order in which no two items are equal. qsort_r has its
 * arguments in another order on other systems. */
void system_sort(void *items, size_t count, size_t size,
                 int (*order)(const void *a, const void *b, void *context),
                 void *context);

#endif
