/* SPDX-License-Identifier: MIT */
#include "recording/disk.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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

/* `.BASE.PID-N`: the process that made the file, or 0. */
static pid_t maker_of(const char *name, const char *base)
{
    size_t length = strlen(base);
    if (name[0] != '.' || strncmp(name + 1, base, length) != 0 ||
        name[1 + length] != '.')
        return 0;
    const char *digits = name + length + 2;
    char *end;
    long maker = strtol(digits, &end, 10);
    bool whole = *end == '-' && end[1] &&
                 strspn(end + 1, "0123456789") == strlen(end + 1);
    return *digits >= '1' && *digits <= '9' && whole && maker <= INT_MAX
               ? (pid_t)maker
               : 0;
}

/* Takes away a file that its maker, killed, has left: there is no such process
 * here, and on no other machine does one hold its lock. */
static void remove_leftover(int directory, const char *name, pid_t maker)
{
    if (kill(maker, 0) == 0 || errno != ESRCH)
        return;
    int fd =
        openat(directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(directory, name, 0);
    if (fd >= 0)
        close(fd);
}

static void remove_leftovers(const char *path)
{
    const char *slash = strrchr(path, '/');
    char directory[PATH_MAX];
    if (snprintf(directory, sizeof directory, "%.*s",
                 slash ? (int)(slash - path) + 1 : 1,
                 slash ? path : ".") >= PATH_MAX)
        return;
    DIR *entries = opendir(directory);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));) {
        pid_t maker = maker_of(entry->d_name, slash ? slash + 1 : path);
        if (maker > 0)
            remove_leftover(dirfd(entries), entry->d_name, maker);
    }
    closedir(entries);
}

/* The name of another attempt may be taken by a process of another machine. */
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
    remove_leftovers(path);
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

bool disk_stands_at(int fd, const char *path)
{
    struct stat open, there;
    return fstat(fd, &open) == 0 && stat(path, &there) == 0 &&
           open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}
