/* SPDX-License-Identifier: MIT */
/* Rows of the fields written by one thread and commits made by another, while
 * the caller goes on. The first alone touches the columns of the waves, the
 * second the marks; whoever else needs them waits first. A commit stands among
 * the rows: the first hands it on when all before it is written, so that nobody
 * waits for the rows. A third keeps the disk at work between commits: what is
 * written is on its way there long before it must be durable. */
#include "recording/recorder_parts.h"

#include "base/memory.h"

#include <fcntl.h>
#include <pthread.h>

/* What is written before the disk is told to begin with it. */
enum { WRITEBACK_BYTES = 8 << 20, COMMIT = -1 };

struct overlap {
    struct errand *rows, *commits, *writeback;
    /* Rows that wait to be written, one after another, and a commit at most, in
     * a ring with a place for each. */
    struct waiting {
        int64_t row; /* COMMIT: all before it is to be committed */
        struct recording_fields fields;
    } * waiting;
    size_t room, first, count, rows_waiting;
    bool commit_waiting;
    bool running; /* the errand will come to look at the ring again */
    pthread_mutex_t mutex;
    pthread_cond_t fewer;
    enum status row_status; /* the first fault */
    struct error row_error;
    /* The commit at hand or last done. */
    struct commit_marks marks;
    enum status commit_status;
    struct error commit_error;
};

enum status recorder_overlap(struct recorder *recorder, size_t rows,
                             struct error *error)
{
    if (recorder->shared && !shared_overlaps(recorder))
        return STATUS_OK;
    struct overlap *overlap = memory_new(1, sizeof *overlap);
    if (!overlap)
        return error_memory(error);
    pthread_mutex_init(&overlap->mutex, NULL);
    pthread_cond_init(&overlap->fewer, NULL);
    recorder->overlap = overlap;
    overlap->room = rows;
    overlap->waiting = memory_new(rows + 1, sizeof *overlap->waiting);
    enum status status = overlap->waiting ? STATUS_OK : error_memory(error);
    if (!status)
        status = errand_new(&overlap->rows, error);
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
    memory_release(overlap->waiting);
    pthread_cond_destroy(&overlap->fewer);
    pthread_mutex_destroy(&overlap->mutex);
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
    if (recorder->unsent >= WRITEBACK_BYTES && recorder->fd >= 0 &&
        errand_offer(recorder->overlap->writeback, begin_writeback, recorder))
        recorder->unsent = 0;
}

static void make_commit(void *context)
{
    struct recorder *recorder = context;
    struct overlap *overlap = recorder->overlap;
    overlap->commit_status =
        commit_marks(recorder, &overlap->marks, &overlap->commit_error);
}

/* In its turn among the rows; the commit before it is made. */
static enum status hand_on_commit(struct recorder *recorder,
                                  struct error *error)
{
    struct overlap *overlap = recorder->overlap;
    enum status status = finish_waves(recorder, overlap->marks.rows, error);
    if (!status)
        errand_send(overlap->commits, make_commit, recorder);
    return status;
}

/* A row stays in the ring while it is written: its arrays are the caller's. */
static void take_out(struct overlap *overlap)
{
    bool commit = overlap->waiting[overlap->first].row == COMMIT;
    overlap->first = (overlap->first + 1) % (overlap->room + 1);
    overlap->count--;
    overlap->rows_waiting -= !commit;
    overlap->commit_waiting &= !commit;
    pthread_cond_signal(&overlap->fewer);
}

/* Writes what is in the ring until nothing is; behind a fault nothing. */
static void write_rows(void *context)
{
    struct recorder *recorder = context;
    struct overlap *overlap = recorder->overlap;
    pthread_mutex_lock(&overlap->mutex);
    while (overlap->count > 0) {
        const struct waiting *next = &overlap->waiting[overlap->first];
        enum status status = overlap->row_status;
        struct error error = { 0 };
        pthread_mutex_unlock(&overlap->mutex);
        if (!status)
            status = next->row == COMMIT ? hand_on_commit(recorder, &error)
                                         : write_waves(recorder, next->row,
                                                       &next->fields, &error);
        keep_disk_busy(recorder);
        pthread_mutex_lock(&overlap->mutex);
        if (status && !overlap->row_status) {
            overlap->row_status = status;
            overlap->row_error = error;
        }
        take_out(overlap);
    }
    overlap->running = false;
    pthread_mutex_unlock(&overlap->mutex);
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

/* Without the rows behind it, which none of it needs. */
enum status overlap_settle_commit(struct recorder *recorder,
                                  struct error *error)
{
    struct overlap *overlap = recorder->overlap;
    if (!overlap)
        return STATUS_OK;
    pthread_mutex_lock(&overlap->mutex);
    while (overlap->commit_waiting)
        pthread_cond_wait(&overlap->fewer, &overlap->mutex);
    enum status status = told(overlap->row_status, &overlap->row_error, error);
    pthread_mutex_unlock(&overlap->mutex);
    errand_wait(overlap->commits);
    return status ? status
                  : told(overlap->commit_status, &overlap->commit_error, error);
}

/* Puts a row or a commit into the ring, which has room for it. */
static void put(struct recorder *recorder, const struct waiting *what)
{
    struct overlap *overlap = recorder->overlap;
    pthread_mutex_lock(&overlap->mutex);
    overlap
        ->waiting[(overlap->first + overlap->count++) % (overlap->room + 1)] =
        *what;
    if (what->row == COMMIT)
        overlap->commit_waiting = true;
    else
        overlap->rows_waiting++;
    bool start = !overlap->running;
    overlap->running = true;
    pthread_mutex_unlock(&overlap->mutex);
    if (start)
        errand_send(overlap->rows, write_rows, recorder);
}

/* For the next row; once the ring was full for half of it, so that the two
 * threads wake one another seldom. */
static enum status wait_for_room(struct overlap *overlap, struct error *error)
{
    pthread_mutex_lock(&overlap->mutex);
    if (overlap->rows_waiting == overlap->room)
        while (overlap->rows_waiting > overlap->room / 2)
            pthread_cond_wait(&overlap->fewer, &overlap->mutex);
    enum status status = told(overlap->row_status, &overlap->row_error, error);
    pthread_mutex_unlock(&overlap->mutex);
    return status;
}

bool recorder_settled(const struct recorder *recorder)
{
    struct overlap *overlap = recorder->overlap;
    if (!overlap)
        return true;
    pthread_mutex_lock(&overlap->mutex);
    bool waiting = overlap->commit_waiting;
    pthread_mutex_unlock(&overlap->mutex);
    return !waiting && errand_idle(overlap->commits);
}

enum status overlap_row(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error)
{
    if (!recorder->overlap)
        return write_waves(recorder, row, fields, error);
    put(recorder, &(struct waiting){ .row = row, .fields = *fields });
    return wait_for_room(recorder->overlap, error);
}

enum status overlap_commit(struct recorder *recorder,
                           const struct commit_marks *marks,
                           struct error *error)
{
    if (recorder->overlap) {
        recorder->overlap->marks = *marks;
        put(recorder, &(struct waiting){ .row = COMMIT });
        return STATUS_OK;
    }
    enum status status = finish_waves(recorder, marks->rows, error);
    return status ? status : commit_marks(recorder, marks, error);
}
