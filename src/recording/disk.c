/* SPDX-License-Identifier: MIT */
#include "recording/disk.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_MAX = 1 << 30, COPY_BYTES = 1 << 20, ATTEMPTS = 1000 };

bool disk_write(int fd, const void *data, size_t bytes, uint64_t offset)
{
    const char *at = data;
    while (bytes > 0) {
        size_t piece = bytes < PIECE_MAX ? bytes : PIECE_MAX;
        ssize_t written = pwrite(fd, at, piece, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written < 0 ? errno : ENOSPC;
            return false;
        }
        at += written;
        bytes -= (size_t)written;
        offset += (uint64_t)written;
    }
    return true;
}

bool disk_read(int fd, void *data, size_t bytes, uint64_t offset)
{
    char *at = data;
    while (bytes > 0) {
        size_t piece = bytes < PIECE_MAX ? bytes : PIECE_MAX;
        ssize_t got = pread(fd, at, piece, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got < 0 ? errno : EIO;
            return false;
        }
        at += got;
        bytes -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

static bool copy_by_hand(int from, uint64_t from_offset, int to,
                         uint64_t to_offset, uint64_t bytes)
{
    char *piece = memory_new(COPY_BYTES, 1);
    bool good = piece != NULL;
    if (!piece)
        errno = ENOMEM;
    while (good && bytes > 0) {
        size_t now = bytes < COPY_BYTES ? (size_t)bytes : COPY_BYTES;
        good = disk_read(from, piece, now, from_offset) &&
               disk_write(to, piece, now, to_offset);
        from_offset += now;
        to_offset += now;
        bytes -= now;
    }
    memory_release(piece);
    return good;
}

bool disk_copy(int from, uint64_t from_offset, int to, uint64_t to_offset,
               uint64_t bytes)
{
    while (bytes > 0) {
        off64_t in = (off64_t)from_offset, out = (off64_t)to_offset;
        size_t piece = bytes < PIECE_MAX ? (size_t)bytes : PIECE_MAX;
        ssize_t copied = copy_file_range(from, &in, to, &out, piece, 0);
        if (copied < 0 && errno == EINTR)
            continue;
        if (copied <= 0) /* between file systems, old kernels */
            return copy_by_hand(from, from_offset, to, to_offset, bytes);
        from_offset += (uint64_t)copied;
        to_offset += (uint64_t)copied;
        bytes -= (uint64_t)copied;
    }
    return true;
}

bool disk_reserve(int fd, uint64_t bytes)
{
    int code;
    do
        code = posix_fallocate(fd, 0, (off_t)bytes);
    while (code == EINTR);
    errno = code;
    return code == 0;
}

/* The directory of a path, "." or "…/", in memory_new memory. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return memory_text(".");
    size_t bytes = (size_t)(slash - path) + 1;
    char *directory = memory_new(bytes + 1, 1);
    if (directory)
        memcpy(directory, path, bytes);
    return directory;
}

/* Killed programs may have left files of their own, with their process ids. */
static int create_new(const char *path, char *name, size_t bytes)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    int fd = -1;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(name, bytes, "%.*s.%s.%d-%d", (int)(base - path), path, base,
                 (int)getpid(), attempt);
        fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    return fd;
}

enum status disk_temporary(const char *path, char **temporary,
                           struct error *error)
{
    size_t bytes = strlen(path) + 40;
    char *name = memory_new(bytes, 1);
    if (!name)
        return error_memory(error);
    int fd = create_new(path, name, bytes);
    if (fd < 0) {
        enum status status =
            error_system(error, STATUS_INPUT,
                         "%s: no file can be made in its directory", path);
        memory_release(name);
        return status;
    }
    close(fd);
    *temporary = name;
    return STATUS_OK;
}

static bool sync_directory(const char *path)
{
    char *directory = directory_of(path);
    int fd =
        directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    /* Some file systems cannot sync a directory, and say EINVAL. */
    bool good = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
    if (fd >= 0)
        close(fd);
    memory_release(directory);
    return good;
}

static bool rename_as(const char *temporary, const char *path, bool force)
{
    if (force)
        return rename(temporary, path) == 0;
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* File systems without the flag: a link never replaces either. */
    return link(temporary, path) == 0 && unlink(temporary) == 0;
}

enum status disk_rename(const char *temporary, const char *path, bool force,
                        struct error *error)
{
    if (!rename_as(temporary, path, force))
        return errno == EEXIST
                   ? error_at(error, STATUS_INPUT, path, 0,
                              "exists already: give another name, or --force "
                              "to replace it")
                   : error_system(error, STATUS_INPUT, "%s: cannot be written",
                                  path);
    if (!sync_directory(path))
        return error_system(error, STATUS_DISK,
                            "%s: its directory cannot be synced", path);
    return STATUS_OK;
}
