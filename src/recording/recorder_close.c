/* SPDX-License-Identifier: MIT */
/* The clean end, and the true extents of a run that ended early. */
#include "recording/recorder_parts.h"

#include "recording/disk.h"

#include <stdio.h>
#include <unistd.h>

static bool is_short(const struct recorder *recorder)
{
    return recorder->committed > 0 &&
           recorder->committed < recorder->shape.length[AXIS_TIME];
}

static int64_t at_least_one(int64_t rows)
{
    return rows > 0 ? rows : 1;
}

/* The shape of what is there. A dataset of no rows cannot be contiguous: an
 * unused table keeps one row of -1. */
static struct shape true_shape(const struct recorder *recorder)
{
    static const enum axis axes[TABLES] = { AXIS_ARRIVAL, AXIS_EMISSION,
                                            AXIS_CAPTURE, AXIS_PLAN };
    struct shape shape = recorder->shape;
    shape.length[AXIS_TIME] = recorder->committed;
    if (recorder->keyframes)
        shape.length[AXIS_KEYFRAME] =
            keyframes_of(recorder->committed, recorder->keyframes);
    if (recorder->versions_written > 0)
        shape.length[AXIS_VERSION] = (int64_t)recorder->versions_written;
    for (int t = 0; t < TABLES; t++)
        shape.length[axes[t]] = at_least_one(recorder->tables[t].rows);
    shape.length[AXIS_PATH_CELL] = at_least_one(path_cells(recorder));
    return shape;
}

/* The first file is whole until the second is, and has its name: no moment of
 * this costs a row. */
static enum status shorten(struct recorder *recorder, struct error *error)
{
    struct laid_out file = { .fd = -1 };
    struct shape shape = true_shape(recorder);
    enum status status =
        lay_out(recorder->path, &shape, &recorder->header, &file, error);
    if (!status)
        status = copy_shared(recorder->fd, &recorder->layout, file.fd,
                             &file.layout, recorder->path, error);
    if (!status && fsync(file.fd) < 0)
        status = error_system(error, STATUS_DISK, "%s: cannot be synced",
                              recorder->path);
    if (!status)
        status = disk_rename(file.temporary, recorder->path, true, error);
    lay_out_undo(&file);
    return status;
}

void recorder_step_time(struct recorder *recorder, int64_t nanoseconds)
{
    recorder->step_nanoseconds = nanoseconds;
}

enum status recorder_close(struct recorder *recorder, enum run_state state,
                           char *note, struct error *error)
{
    struct error why;
    if (note)
        note[0] = '\0';
    enum status status = overlap_settle_rows(recorder, error);
    if (!status)
        status = overlap_settle_commit(recorder, error);
    shared_release(recorder->shared);
    recorder->shared = NULL;
    if (recorder->follows) {
        recorder_abandon(recorder);
        return status;
    }
    if (!status && recorder->step_nanoseconds > 0)
        status = write_mark(recorder, MARK_STEP_NANOSECONDS,
                            recorder->step_nanoseconds, error);
    if (!status)
        status = write_mark(recorder, MARK_STATE, (int64_t)state, error);
    if (!status)
        status = sync_data(recorder, recorder->committed, error);
    if (!status && is_short(recorder) && shorten(recorder, &why) && note)
        snprintf(note, ERROR_MESSAGE_SIZE,
                 "%s keeps room for all %lld rows, %lld of them recorded "
                 "(%.600s)",
                 recorder->path, (long long)recorder->shape.length[AXIS_TIME],
                 (long long)recorder->committed, why.message);
    recorder_abandon(recorder);
    return status;
}
