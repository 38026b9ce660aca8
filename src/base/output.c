/* SPDX-License-Identifier: MIT */
#include "base/output.h"

#include "base/disk.h"
#include "base/inputs.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The temporary name is this and the process number. */
static const char prefix[] = ".hamon-";

/* The outputs of a process are usually in one directory: once is enough. */
static atomic_flag cleaned = ATOMIC_FLAG_INIT;

static void release_name(struct output *output)
{
    memory_release(output->partial);
    output->partial = NULL;
}

static enum status exists(const char *path, struct error *error)
{
    return error_set(error, STATUS_INPUT,
                     "%s: exists already; --force writes over it", path);
}

/* Rejects a path that must not be written. */
static enum status check_place(const char *path, bool force,
                               struct error *error)
{
    struct stat stat_of;
    if (stat(path, &stat_of) != 0)
        /* there is no such file, or open will report the error */
        return disk_refuse_link(path, error);
    if (!S_ISREG(stat_of.st_mode))
        return error_set(error, STATUS_INPUT,
                         "%s: is no regular file; -o - writes to standard "
                         "output",
                         path);
    if (!force)
        return exists(path, error);
    enum status status = inputs_refuse(path, error);
    return status ? status : disk_refuse_link(path, error);
}

enum status output_open(struct output *output, const char *path, bool force,
                        struct error *error)
{
    *output = (struct output){ .path = path, .force = force };
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return STATUS_OK;
    }
    if (!atomic_flag_test_and_set(&cleaned))
        disk_remove_leftovers(path, prefix);
    enum status status = check_place(path, force, error);
    if (status)
        return status;
    int fd = disk_create(path, prefix, &output->partial);
    if (fd >= 0)
        output->file = fdopen(fd, "w");
    if (output->file)
        return STATUS_OK;
    status = disk_refused(path, error);
    if (fd >= 0) {
        close(fd);
        disk_discard(output->partial);
    }
    release_name(output);
    return status;
}

static enum status lost(const struct output *output, struct error *error)
{
    return error_system(error, STATUS_DISK, "%s: cannot write all of it",
                        output->partial ? output->path : "standard output");
}

enum status output_flush(struct output *output, struct error *error)
{
    return fflush(output->file) == 0 && !ferror(output->file)
               ? STATUS_OK
               : lost(output, error);
}

/* Closes a file that has a temporary name. */
static enum status end(struct output *output, struct error *error)
{
    enum status status = output_flush(output, error);
    if (fclose(output->file) != 0 && !status)
        status = lost(output, error);
    output->file = NULL;
    /* Checked again: files read since output_open count too. */
    return status ? status : inputs_refuse(output->path, error);
}

static enum status not_moved(const struct output *output, struct error *error)
{
    return errno == EEXIST
               ? exists(output->path, error)
               : error_system(error, STATUS_DISK, "%s", output->path);
}

enum status output_commit(struct output *output, struct error *error)
{
    if (!output->partial)
        return output_flush(output, error);
    enum status status = end(output, error);
    if (!status && !disk_move(output->partial, output->path, output->force))
        status = not_moved(output, error);
    output_abandon(output);
    return status;
}

enum status output_commit_all(struct output *const *outputs, size_t count,
                              struct error *error)
{
    struct disk_set *files = memory_new(count, sizeof *files);
    enum status status = files ? STATUS_OK : error_memory(error);
    size_t failed;
    for (size_t i = 0; i < count && !status; i++) {
        status = end(outputs[i], error);
        files[i] = (struct disk_set){ outputs[i]->partial, outputs[i]->path,
                                      outputs[i]->force };
    }
    if (!status && !disk_move_set(files, count, prefix, &failed))
        status = not_moved(outputs[failed], error);
    for (size_t i = 0; i < count; i++)
        output_abandon(outputs[i]);
    memory_release(files);
    return status;
}

enum status output_has_room(const struct output *output, struct error *error)
{
    struct stat about;
    const int fd = fileno(output->file);
    if (fstat(fd, &about) != 0)
        return STATUS_OK;
    errno = posix_fallocate(fd, about.st_size, 1 << 16);
    return errno == ENOSPC || errno == EFBIG || errno == EDQUOT
               ? lost(output, error)
               : STATUS_OK;
}

void output_abandon(struct output *output)
{
    if (!output->partial)
        return;
    if (output->file)
        fclose(output->file);
    output->file = NULL;
    disk_discard(output->partial);
    release_name(output);
}
