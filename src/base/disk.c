/* SPDX-License-Identifier: MIT */
#include "base/disk.h"

#include "base/memory.h"
#include "base/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PIECE_MAX = 1 << 30,
    COPY_BYTES = 1 << 20,
    ATTEMPTS = 1000,
};

/* A name that disk_discard_all removes if the file that it was registered for
 * is still there. disk_discard_all takes no lock and may run in a signal
 * handler: `registered` is set after the rest is written, and entries are never
 * freed but reused. */
struct provisional {
    struct provisional *next;
    atomic_bool registered;
    int nameless; /* the descriptor of a file without a name; or −1 */
    dev_t device;
    ino_t inode;
    char name[PATH_MAX];
};

static struct provisional *_Atomic provisionals;
static pthread_mutex_t provisional_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- files without a name ---- */

int disk_nameless(char **name)
{
    const int fd = system_nameless_file();
    *name =
        fd >= 0 ? memory_format("/proc/%ld/fd/%d", (long)getpid(), fd) : NULL;
    if (fd >= 0 && !*name) {
        close(fd);
        errno = ENOMEM;
        return -1;
    }
    return fd;
}

/* The descriptor in the name of such a file; −1: the file has a name of its
 * own. */
static int nameless(const char *name)
{
    long process;
    int fd;
    return sscanf(name, "/proc/%ld/fd/%d", &process, &fd) == 2 &&
                   process == getpid()
               ? fd
               : -1;
}

/* The descriptor `to` becomes that of the file `from`, which loses its own. */
static bool replace_nameless(int from, int to)
{
    const bool moved = dup3(from, to, O_CLOEXEC) >= 0;
    if (moved)
        close(from);
    return moved;
}

/* ---- files that are removed unless they are complete ---- */

static void remove_provisional(const struct provisional *entry)
{
    struct stat there;
    if (entry->nameless >= 0)
        close(entry->nameless);
    else if (lstat(entry->name, &there) == 0 && there.st_dev == entry->device &&
             there.st_ino == entry->inode)
        unlink(entry->name);
}

/* An entry that is not in use; NULL if there is no memory. */
static struct provisional *unused_entry(void)
{
    struct provisional *entry = provisionals;
    while (entry && entry->registered)
        entry = entry->next;
    if (entry)
        return entry;
    entry = memory_new(1, sizeof *entry);
    if (entry) {
        entry->next = provisionals;
        provisionals = entry;
    }
    return entry;
}

static bool add_provisional(const char *name, int fd)
{
    const size_t bytes = strlen(name) + 1;
    struct stat about;
    if (fstat(fd, &about) < 0)
        return false;
    errno = ENAMETOOLONG;
    if (bytes > PATH_MAX)
        return false;
    pthread_mutex_lock(&provisional_lock);
    struct provisional *entry = unused_entry();
    if (entry) {
        entry->nameless = nameless(name);
        entry->device = about.st_dev;
        entry->inode = about.st_ino;
        memcpy(entry->name, name, bytes);
        entry->registered = true;
    }
    pthread_mutex_unlock(&provisional_lock);
    if (!entry)
        errno = ENOMEM;
    return entry != NULL;
}

bool disk_provisional(const char *name, int fd)
{
    return nameless(name) >= 0 || add_provisional(name, fd);
}

static void forget(const char *name, bool remove)
{
    pthread_mutex_lock(&provisional_lock);
    for (struct provisional *entry = provisionals; entry; entry = entry->next)
        if (entry->registered && strcmp(entry->name, name) == 0) {
            if (remove)
                remove_provisional(entry);
            entry->registered = false;
            break;
        }
    pthread_mutex_unlock(&provisional_lock);
}

void disk_keep(const char *name)
{
    forget(name, false);
}

void disk_discard(const char *name)
{
    const int kept = errno;
    forget(name, true);
    errno = kept;
}

void disk_discard_all(void)
{
    for (struct provisional *entry = provisionals; entry; entry = entry->next)
        if (entry->registered)
            remove_provisional(entry);
}

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
        size_t piece = bytes < PIECE_MAX ? (size_t)bytes : PIECE_MAX;
        ssize_t copied = system_copy_range(from, (off_t)from_offset, to,
                                           (off_t)to_offset, piece);
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
    struct stat about;
    int code;
    if (fstat(fd, &about) == 0 && about.st_nlink == 0)
        return true;
    do
        code = posix_fallocate(fd, 0, (off_t)bytes);
    while (code == EINTR);
    errno = code;
    return code == 0;
}

/* The directory of a path, "." or "…/"; false if it does not fit PATH_MAX. */
static bool directory_of(const char *path, char directory[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    if (length >= PATH_MAX)
        return false;
    memcpy(directory, slash ? path : ".", length);
    directory[length] = '\0';
    return true;
}

/* The process that made a file named PREFIX PID-N, or 0. */
static pid_t maker_of(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return 0;
    const char *digits = name + length;
    char *end;
    long maker = strtol(digits, &end, 10);
    bool whole = *end == '-' && end[1] &&
                 strspn(end + 1, "0123456789") == strlen(end + 1);
    return *digits >= '1' && *digits <= '9' && whole && maker <= INT_MAX
               ? (pid_t)maker
               : 0;
}

/* ---- sets of files ---- */

/* The names of a set's lists begin with PREFIX and this. */
static const char of_set[] = "set-";

enum { LIST_MAX = 1 << 20 };

/* A list has an entry for each file, which ends with NUL: by these numbers the
 * file is recognised under its new name. */
static char *list_entry(const struct disk_set *file)
{
    const char *slash = strrchr(file->path, '/');
    struct stat about;
    return stat(file->temporary, &about) == 0
               ? memory_format(
                     "%ju %jd %jd %ld %s", (uintmax_t)about.st_ino,
                     (intmax_t)about.st_size, (intmax_t)about.st_mtim.tv_sec,
                     about.st_mtim.tv_nsec, slash ? slash + 1 : file->path)
               : NULL;
}

static void remove_listed(int directory, const char *entry)
{
    uintmax_t inode;
    intmax_t size, seconds;
    long nanoseconds;
    int name = 0;
    struct stat there;
    if (sscanf(entry, "%ju %jd %jd %ld%n", &inode, &size, &seconds,
               &nanoseconds, &name) == 4 &&
        entry[name] == ' ' &&
        fstatat(directory, entry + name + 1, &there, AT_SYMLINK_NOFOLLOW) ==
            0 &&
        S_ISREG(there.st_mode) && there.st_ino == inode &&
        there.st_size == size && there.st_mtim.tv_sec == seconds &&
        there.st_mtim.tv_nsec == nanoseconds)
        unlinkat(directory, entry + name + 1, 0);
}

/* Removes the files of the list that were renamed. */
static void remove_set(int directory, int list)
{
    struct stat about;
    if (fstat(list, &about) < 0 || about.st_size <= 0 ||
        about.st_size > LIST_MAX)
        return;
    size_t bytes = (size_t)about.st_size;
    char *entries = memory_new(bytes + 1, 1);
    if (entries && disk_read(list, entries, bytes, 0))
        for (size_t at = 0; at < bytes; at += strlen(entries + at) + 1)
            remove_listed(directory, entries + at);
    memory_release(entries);
}

/* Removes a file that a killed process has left: no process of this machine has
 * its number, and no process of another machine has the file locked. */
static void remove_leftover(int directory, const char *name, pid_t maker,
                            bool list)
{
    if (kill(maker, 0) == 0 || errno != ESRCH)
        return;
    int fd =
        openat(directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        if (list)
            remove_set(directory, fd);
        unlinkat(directory, name, 0);
    }
    if (fd >= 0)
        close(fd);
}

void disk_remove_leftovers(const char *path, const char *prefix)
{
    char directory[PATH_MAX], set_prefix[NAME_MAX + sizeof of_set];
    DIR *entries = directory_of(path, directory) ? opendir(directory) : NULL;
    if (!entries)
        return;
    snprintf(set_prefix, sizeof set_prefix, "%s%s", prefix, of_set);
    for (struct dirent *entry; (entry = readdir(entries));) {
        pid_t maker = maker_of(entry->d_name, prefix);
        pid_t of_list = maker_of(entry->d_name, set_prefix);
        if (maker > 0 || of_list > 0)
            remove_leftover(dirfd(entries), entry->d_name,
                            maker > 0 ? maker : of_list, of_list > 0);
    }
    closedir(entries);
}

/* No name is used twice in a process: a thread that has just renamed its file
 * may still discard the old name, which must not be that of another thread's
 * file. A process of another machine may use the next name, too. Its lock keeps
 * disk_remove_leftovers of this process from its file. */
int disk_create(const char *path, const char *prefix, char **name)
{
    static atomic_uint created;
    const char *slash = strrchr(path, '/');
    const int directory = slash ? (int)(slash - path) + 1 : 0;
    for (int attempt = 0;; attempt++) {
        *name = memory_format("%.*s%s%ld-%u", directory, path, prefix,
                              (long)getpid(), atomic_fetch_add(&created, 1));
        errno = ENOMEM;
        int fd = *name
                     ? open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                     : -1;
        if (fd >= 0 && disk_provisional(*name, fd)) {
            flock(fd, LOCK_EX | LOCK_NB);
            return fd;
        }
        if (!*name)
            return -1;
        const int kept = errno;
        if (fd >= 0) {
            close(fd);
            unlink(*name);
        }
        memory_release(*name);
        *name = NULL;
        errno = kept;
        if (kept != EEXIST || attempt == ATTEMPTS)
            return -1;
    }
}

static int temporary_nameless(char **temporary)
{
    const int fd = disk_nameless(temporary);
    if (fd < 0 || add_provisional(*temporary, fd))
        return fd;
    close(fd);
    memory_release(*temporary);
    *temporary = NULL;
    return -1;
}

/* Cuts slashes at the end of `name`. */
static bool is_folder(char name[PATH_MAX])
{
    struct stat about;
    for (size_t n = strlen(name); n > 1 && name[n - 1] == '/'; n--)
        name[n - 1] = '\0';
    return stat(name, &about) == 0 && S_ISDIR(about.st_mode);
}

static enum status status_of_place(int code)
{
    return code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG
               ? STATUS_INPUT
               : STATUS_DISK;
}

enum status disk_refused(const char *path, struct error *error)
{
    const int code = errno;
    char folder[PATH_MAX];
    if ((code == ENOENT || code == ENOTDIR) && directory_of(path, folder) &&
        !is_folder(folder))
        return error_at(error, STATUS_INPUT, path, 0,
                        "there is no folder %s: make it, or give another name",
                        folder);
    errno = code;
    return error_system(error, status_of_place(code), "%s: cannot be written",
                        path);
}

enum status disk_refused_temporary(struct error *error)
{
    const int code = errno;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", system_temporary_folder());
    if ((code == ENOENT || code == ENOTDIR) && !is_folder(folder))
        return error_set(error, STATUS_INPUT,
                         "TMPDIR: there is no folder %s: make it, or set "
                         "TMPDIR to another",
                         folder);
    errno = code;
    return error_system(error, status_of_place(code),
                        "TMPDIR: no temporary file can be made in %s", folder);
}

enum status disk_temporary(const char *path, char **temporary,
                           struct error *error)
{
    const char *slash = strrchr(path, '/');
    char *prefix = memory_format(".%s.", slash ? slash + 1 : path);
    if (!prefix)
        return error_memory(error);
    disk_remove_leftovers(path, prefix);
    int fd = nameless(path) >= 0 ? temporary_nameless(temporary)
                                 : disk_create(path, prefix, temporary);
    enum status status = fd >= 0 ? STATUS_OK : disk_refused(path, error);
    memory_release(prefix);
    if (fd >= 0 && nameless(path) < 0)
        close(fd);
    return status;
}

static bool sync_directory(const char *path)
{
    char directory[PATH_MAX];
    int fd = directory_of(path, directory)
                 ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                 : -1;
    /* Some file systems cannot sync a directory, and fail with EINVAL. */
    bool good = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
    if (fd >= 0)
        close(fd);
    return good;
}

bool disk_move(const char *temporary, const char *path, bool force)
{
    const bool moved =
        nameless(path) >= 0
            ? replace_nameless(nameless(temporary), nameless(path))
        : force ? rename(temporary, path) == 0
                : system_rename_new(temporary, path);
    if (moved)
        disk_keep(temporary);
    return moved;
}

enum status disk_refuse_link(const char *path, struct error *error)
{
    struct stat about;
    if (nameless(path) >= 0 || lstat(path, &about) < 0 ||
        !S_ISLNK(about.st_mode))
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, path, 0,
                    "is a symbolic link: name the file that it leads to");
}

/* The list of the set, open; −1 with errno. */
static int make_list(const struct disk_set *files, size_t count,
                     const char *prefix, char **name)
{
    char *list_prefix = memory_format("%s%s", prefix, of_set);
    errno = ENOMEM;
    int list = list_prefix ? disk_create(files->path, list_prefix, name) : -1;
    memory_release(list_prefix);
    uint64_t at = 0;
    bool good = list >= 0;
    for (size_t i = 0; i < count && good; i++) {
        char *entry = list_entry(&files[i]);
        size_t bytes = entry ? strlen(entry) + 1 : 0;
        good = entry && disk_write(list, entry, bytes, at);
        at += bytes;
        memory_release(entry);
    }
    if (good || list < 0)
        return list;
    disk_discard(*name);
    memory_release(*name);
    const int kept = errno;
    close(list);
    errno = kept;
    return -1;
}

bool disk_move_set(const struct disk_set *files, size_t count,
                   const char *prefix, size_t *failed)
{
    char *name, folder[PATH_MAX];
    int list = make_list(files, count, prefix, &name);
    *failed = 0;
    if (list < 0)
        return false;
    disk_keep(name); /* a signal, too, leaves it to a later process */
    bool moved = true;
    for (size_t i = 0; i < count && moved; i++) {
        moved = disk_move(files[i].temporary, files[i].path, files[i].force);
        *failed = i;
    }
    const int kept = errno;
    int directory = !moved && directory_of(name, folder)
                        ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                        : -1;
    if (directory >= 0) {
        remove_set(directory, list);
        close(directory);
    }
    unlink(name);
    close(list);
    memory_release(name);
    errno = kept;
    return moved;
}

enum status disk_rename(const char *temporary, const char *path, bool force,
                        struct error *error)
{
    if (!disk_move(temporary, path, force))
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
