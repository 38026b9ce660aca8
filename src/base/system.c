/* SPDX-License-Identifier: MIT */
#include "base/system.h"

#ifndef SYSTEM_WITHOUT /* tests/base/test_system.c compiles only the fallbacks \
                        */
#include "config.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

bool system_rename_new(const char *from, const char *to)
{
#ifdef HAVE_RENAMEAT2
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    /* Some kernels and file systems do not have it. */
    if (errno != EINVAL && errno != ENOSYS)
        return false;
#endif
    return link(from, to) == 0 && unlink(from) == 0;
}

const char *system_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

int system_nameless_file(void)
{
#ifdef HAVE_MEMFD_CREATE
    int memory = memfd_create("hamon", MFD_CLOEXEC);
    if (memory >= 0 || errno != ENOSYS)
        return memory;
#endif
    char path[PATH_MAX];
    int needed = snprintf(path, sizeof path, "%s/hamon-XXXXXX",
                          system_temporary_folder());
    errno = ENAMETOOLONG;
    int fd = needed < (int)sizeof path ? mkostemp(path, O_CLOEXEC) : -1;
    if (fd >= 0)
        unlink(path);
    return fd;
}

void system_begin_writeback(int fd)
{
#ifdef HAVE_SYNC_FILE_RANGE
    sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)fd;
#endif
}

ssize_t system_copy_range(int from, off_t from_offset, int to, off_t to_offset,
                          size_t bytes)
{
#ifdef HAVE_COPY_FILE_RANGE
    return copy_file_range(from, &from_offset, to, &to_offset, bytes, 0);
#else
    errno = ENOSYS;
    return -1;
#endif
}

bool system_reserve_ahead(int fd, off_t bytes)
{
#ifdef HAVE_FALLOCATE
    return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, bytes) == 0;
#else
    errno = EOPNOTSUPP;
    return false;
#endif
}

/* Finds a program as a shell does; false with errno. */
static bool find_program(const char *name, char path[PATH_MAX])
{
    if (strchr(name, '/'))
        return realpath(name, path) != NULL;
    const char *folder = getenv("PATH");
    for (bool more = folder != NULL; more; folder++) {
        char place[PATH_MAX];
        const size_t length = strcspn(folder, ":");
        int needed = snprintf(place, sizeof place, "%.*s%s%s", (int)length,
                              folder, length ? "/" : "", name);
        if (needed < (int)sizeof place && access(place, X_OK) == 0)
            return realpath(place, path) != NULL;
        folder += length;
        more = *folder == ':';
    }
    errno = ENOENT;
    return false;
}

bool system_program(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length < 0)
        return find_program(program_invocation_name, path);
    path[length] = '\0';
    return true;
}

int system_terminal_width(FILE *file)
{
    struct winsize size;
    if (ioctl(fileno(file), TIOCGWINSZ, &size) != 0)
        return 0;
    const char *columns = getenv("COLUMNS");
    const long given = columns ? strtol(columns, NULL, 10) : 0;
    return size.ws_col                       ? size.ws_col
           : given > 0 && given <= USHRT_MAX ? (int)given
                                             : 0;
}

static void exchange(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* A heap sort: Knuth, The Art of Computer Programming 3, 5.2.3. First the items
 * become a heap from its last parent up, then its greatest goes to the end. */
void system_sort(void *items, size_t count, size_t size,
                 int (*order)(const void *a, const void *b, void *context),
                 void *context)
{
    char *const first = items;
    size_t parents = count / 2, left = count;
    while (left > 1) {
        if (parents > 0)
            parents--;
        else
            exchange(first, first + --left * size, size);
        for (size_t at = parents, child; (child = 2 * at + 1) < left;
             at = child) {
            char *low = first + at * size, *high = first + child * size;
            if (child + 1 < left && order(high, high + size, context) < 0) {
                child++;
                high += size;
            }
            if (order(low, high, context) >= 0)
                break;
            exchange(low, high, size);
        }
    }
}
