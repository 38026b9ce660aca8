/* SPDX-License-Identifier: MIT */
/* Rows of the fields written by one thread and commits made by another, while
 * the caller goes on. The first alone touches the columns of the waves, the
 * second the marks; whoever else needs them waits first. A third keeps the disk
 * at work between commits: what is written is on its way there long before it
 * must be durable. */
#include "recording/recorder_parts.h"

#include "base/memory.h"

#include <fcntl.h>

/* What is written before the disk is told to begin with it. */
enum { WRITEBACK_BYTES = 8 << 20 };

struct overlap {
    struct errand *rows, *commits, *writeback;
    /* The row, and the commit, at hand or last done. */
    struct recording_fields fields;
    int64_t row;
    enum status row_status;
    struct error row_error;
    struct commit_marks marks;
    enum status commit_status;
    struct error commit_error;
};

enum status recorder_overlap(struct recorder *recorder, struct error *error)
{
    struct overlap *overlap = memory_new(1, sizeof *overlap);
    if (!overlap)
        return error_memory(error);
    recorder->overlap = overlap;
    enum status status = errand_new(&overlap->rows, error);
    if (!status)
        status = errand_new(&overlap->commits, error);
    return status ? status : errand_new(&overlap->writeback, error);
}

void overlap_release(struct overlap *overlap)
{
    if (!overlap)
        return;
    errand_release(overlap->rows);
    errand_release(overlap->commits);
    errand_release(overlap->writeback);
    memory_release(overlap);
}

/* Begins to write out all that is not, and waits for none of it: no promise,
 * so a fault is left to fdatasync, which tells it again. */
static void begin_writeback(void *context)
{
    const struct recorder *recorder = context;
    sync_file_range(recorder->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

static void keep_disk_busy(struct recorder *recorder)
{
    if (recorder->unsent >= WRITEBACK_BYTES &&
        errand_offer(recorder->overlap->writeback, begin_writeback, recorder))
        recorder->unsent = 0;
}

static void write_row(void *context)
{
    struct recorder *recorder = context;
    struct overlap *overlap = recorder->overlap;
    overlap->row_status = write_waves(recorder, overlap->row, &overlap->fields,
                                      &overlap->row_error);
    keep_disk_busy(recorder);
}

static void make_commit(void *context)
{
    struct recorder *recorder = context;
    struct overlap *overlap = recorder->overlap;
    overlap->commit_status =
        commit_marks(recorder, &overlap->marks, &overlap->commit_error);
}

/* The fault of a thread is told once to each who waits, for good. */
static enum status told(enum status status, const struct error *why,
                        struct error *error)
{
    if (status && error)
        *error = *why;
    return status;
}

enum status overlap_settle_rows(struct recorder *recorder, struct error *error)
{
    struct overlap *overlap = recorder->overlap;
    if (!overlap)
        return STATUS_OK;
    errand_wait(overlap->rows);
    return told(overlap->row_status, &overlap->row_error, error);
}

enum status overlap_settle_commit(struct recorder *recorder,
                                  struct error *error)
{
    struct overlap *overlap = recorder->overlap;
    if (!overlap)
        return STATUS_OK;
    errand_wait(overlap->commits);
    return told(overlap->commit_status, &overlap->commit_error, error);
}

enum status overlap_row(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error)
{
    struct overlap *overlap = recorder->overlap;
    if (!overlap)
        return write_waves(recorder, row, fields, error);
    enum status status = overlap_settle_rows(recorder, error);
    if (status)
        return status;
    overlap->fields = *fields;
    overlap->row = row;
    errand_send(overlap->rows, write_row, recorder);
    return STATUS_OK;
}

enum status overlap_commit(struct recorder *recorder,
                           const struct commit_marks *marks,
                           struct error *error)
{
    struct overlap *overlap = recorder->overlap;
    if (!overlap)
        return commit_marks(recorder, marks, error);
    overlap->marks = *marks;
    errand_send(overlap->commits, make_commit, recorder);
    return STATUS_OK;
}
