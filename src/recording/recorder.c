/* SPDX-License-Identifier: MIT */
#include "recording/recorder_parts.h"

#include "base/memory.h"
#include "recording/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Held from here to the rename, so that no running recording is replaced. */
static enum status lock_existing(const char *path, bool force, int *lock,
                                 struct error *error)
{
    struct stat about;
    *lock = -1;
    if (stat(path, &about) < 0)
        return errno == ENOENT ? STATUS_OK
                               : error_system(error, STATUS_INPUT,
                                              "%s: cannot be written", path);
    if (!force || !S_ISREG(about.st_mode))
        return error_at(error, STATUS_INPUT, path, 0,
                        S_ISREG(about.st_mode)
                            ? "exists already: give another name, or --force "
                              "to replace it"
                            : "is not a regular file: a recording needs one");
    *lock = open(path, O_RDONLY | O_CLOEXEC);
    if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) < 0 &&
        errno == EWOULDBLOCK)
        return error_at(error, STATUS_INPUT, path, 0,
                        "is being written by another program: give another "
                        "name, or wait for it");
    if (*lock >= 0 && !disk_stands_at(*lock, path))
        return error_at(error, STATUS_INPUT, path, 0,
                        "was replaced meanwhile by another program: give "
                        "another name, or try again");
    return STATUS_OK;
}

static enum status new_recorder(const char *path,
                                const struct recording_plan *plan,
                                struct recorder **made, struct error *error)
{
    struct recorder *recorder = memory_new(1, sizeof *recorder);
    if (!recorder)
        return error_memory(error);
    recorder->fd = -1;
    recorder->blank = true;
    recorder->grid = plan->grid;
    recorder->region = plan->region;
    recorder->keyframes = plan->keyframes;
    recorder->every = plan->every;
    recorder->restart_bytes = plan->restart_bytes;
    recorder->path = memory_text(path);
    recorder->title = memory_text(plan->title ? plan->title : "");
    if (!recorder->path || !recorder->title) {
        recorder_abandon(recorder);
        return error_memory(error);
    }
    recorder->header =
        (struct layout_header){ recorder->title, plan->cell_metres,
                                plan->step_seconds };
    *made = recorder;
    return plan_shape(plan, &recorder->shape, error);
}

enum status recorder_adopt(struct recorder *recorder, struct laid_out *file,
                           struct error *error)
{
    memory_release(file->temporary);
    recorder->fd = file->fd;
    recorder->layout = file->layout;
    recorder->cut = (recorder->shape.parts & PART_WORLD) != 0;
    *file = (struct laid_out){ .fd = -1 };
    return recorder_bind(recorder, error);
}

enum status recorder_start(const char *path, const struct recording_plan *plan,
                           struct recorder **recorder, struct error *error)
{
    *recorder = NULL;
    if (plan->steps < 0 || plan->every < 1 || plan->versions < 1)
        return error_at(error, STATUS_FAILED, path, 0,
                        "a plan of %lld steps, every %lld, %zu maps",
                        (long long)plan->steps, (long long)plan->every,
                        plan->versions);
    enum status status = new_recorder(path, plan, recorder, error);
    if (status && *recorder) {
        recorder_abandon(*recorder);
        *recorder = NULL;
    }
    return status;
}

enum status recorder_create(const char *path, const struct recording_plan *plan,
                            bool force, struct recorder **made,
                            struct error *error)
{
    struct laid_out file = { .fd = -1 };
    struct recorder *recorder;
    int lock;
    enum status status = recorder_start(path, plan, &recorder, error);
    if (status)
        return status;
    status = lock_existing(path, force, &lock, error);
    if (!status)
        status =
            lay_out(path, &recorder->shape, &recorder->header, &file, error);
    if (!status)
        status = write_plan(file.fd, path, &file.layout, plan, error);
    if (!status && fsync(file.fd) < 0)
        status = error_system(error, STATUS_DISK, "%s: cannot be synced", path);
    if (!status)
        status = disk_rename(file.temporary, path, force, error);
    if (!status)
        status = recorder_adopt(recorder, &file, error);
    if (lock >= 0)
        close(lock);
    lay_out_undo(&file);
    if (status)
        recorder_abandon(recorder);
    else
        *made = recorder;
    return status;
}

void recorder_abandon(struct recorder *recorder)
{
    if (!recorder)
        return;
    overlap_release(recorder->overlap);
    shared_release(recorder->shared);
    if (recorder->fd >= 0)
        close(recorder->fd);
    layout_release(&recorder->layout);
    memory_release(recorder->waves);
    memory_release(recorder->gather);
    memory_release(recorder->title);
    memory_release(recorder->path);
    memory_release(recorder);
}
