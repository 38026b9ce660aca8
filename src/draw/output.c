/* SPDX-License-Identifier: MIT */
#include "draw/output.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status exists(const char *path, struct error *error)
{
    return error_set(error, STATUS_INPUT,
                     "%s: exists already; --force writes over it", path);
}

/* May `path` be written at all? */
static enum status check_place(const char *path, bool force,
                               struct error *error)
{
    struct stat stat_of;
    if (stat(path, &stat_of) != 0)
        return STATUS_OK; /* nothing there, or open will tell */
    if (!S_ISREG(stat_of.st_mode))
        return error_set(error, STATUS_INPUT,
                         "%s: is no regular file; -o - writes to standard "
                         "output",
                         path);
    return force ? STATUS_OK : exists(path, error);
}

/* Opens a new file ".hamon-PID-N" in the directory of `path`; its mode is what
 * the umask makes of 0666. */
static int open_partial(const char *path, char **partial)
{
    const char *slash = strrchr(path, '/');
    size_t directory = slash ? (size_t)(slash - path) + 1 : 0;
    size_t room = directory + 40;
    *partial = memory_new(room, 1);
    if (!*partial) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(*partial, path, directory);
    for (unsigned n = 0;; n++) {
        snprintf(*partial + directory, room - directory, ".hamon-%ld-%u",
                 (long)getpid(), n);
        int fd = open(*partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST || n == 999)
            return fd;
    }
}

enum status output_open(struct output *output, const char *path, bool force,
                        struct error *error)
{
    *output = (struct output){ .path = path, .force = force };
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return STATUS_OK;
    }
    enum status status = check_place(path, force, error);
    if (status)
        return status;
    int fd = open_partial(path, &output->partial);
    if (fd >= 0)
        output->file = fdopen(fd, "w");
    if (output->file)
        return STATUS_OK;
    bool place = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
    status = error_system(error, place ? STATUS_INPUT : STATUS_DISK,
                          "%s: cannot write there", path);
    if (fd >= 0) {
        close(fd);
        unlink(output->partial);
    }
    memory_release(output->partial);
    output->partial = NULL;
    return status;
}

/* Renames without replacing, atomically where the file system can. */
static int rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (link(from, to) != 0)
        return -1;
    unlink(from);
    return 0;
}

static enum status lost(const struct output *output, struct error *error)
{
    return error_system(error, STATUS_DISK, "%s: cannot write all of it",
                        output->partial ? output->path : "standard output");
}

enum status output_commit(struct output *output, struct error *error)
{
    bool good = fflush(output->file) == 0 && !ferror(output->file);
    if (!output->partial)
        return good ? STATUS_OK : lost(output, error);
    enum status status = STATUS_OK;
    if (!good)
        status = lost(output, error);
    if (fclose(output->file) != 0 && !status)
        status = lost(output, error);
    output->file = NULL;
    if (!status && (output->force ? rename(output->partial, output->path)
                                  : rename_new(output->partial, output->path)))
        status = errno == EEXIST
                     ? exists(output->path, error)
                     : error_system(error, STATUS_DISK, "%s", output->path);
    if (status)
        unlink(output->partial);
    memory_release(output->partial);
    output->partial = NULL;
    return status;
}

void output_abandon(struct output *output)
{
    if (!output->partial)
        return;
    if (output->file)
        fclose(output->file);
    output->file = NULL;
    unlink(output->partial);
    memory_release(output->partial);
    output->partial = NULL;
}
