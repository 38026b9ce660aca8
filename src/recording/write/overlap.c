/* SPDX-License-Identifier: MIT */
/* One thread writes the frames' fields and another makes the commits while the
 * caller continues. Only the first uses the columns of the waves, and only the
 * second the values in /status; other code that needs them waits first. A
 * commit is queued among the rows: the first thread starts it when all rows
 * before it are written, so that the caller does not wait for them. A third
 * thread starts writeback between commits, so that little is left to sync at a
 * commit. */
#include "recording/write/file.h"

#include "base/memory.h"
#include "base/system.h"

#include <fcntl.h>
#include <pthread.h>

/* Bytes written before a writeback is started. */
enum { WRITEBACK_BYTES = 8 << 20, COMMIT = -1 };

struct overlap {
    struct worker *rows, *commits, *writeback;
    /* A ring queue of rows to be written in order, and at most one commit. */
    struct waiting {
        int64_t row; /* COMMIT: commit everything before it */
        struct recording_fields fields;
    } * waiting;
    size_t room, first, count, rows_waiting;
    bool commit_waiting;
    bool running; /* the background thread is working on the ring */
    pthread_mutex_t mutex;
    pthread_cond_t fewer;
    enum status row_status; /* the first error */
    struct error row_error;
    /* The commit in progress, or the last one. */
    struct slot_header commit;
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
        status = worker_new(&overlap->rows, error);
    if (!status)
        status = worker_new(&overlap->commits, error);
    return status ? status : worker_new(&overlap->writeback, error);
}

void overlap_release(struct overlap *overlap)
{
    if (!overlap)
        return;
    worker_release(overlap->rows);
    worker_release(overlap->commits);
    worker_release(overlap->writeback);
    memory_release(overlap->waiting);
    pthread_cond_destroy(&overlap->fewer);
    pthread_mutex_destroy(&overlap->mutex);
    memory_release(overlap);
}

/* Starts the writeback of everything that is not on disk, without waiting. It
 * promises nothing, so an error is left to fdatasync, which reports it
 * again. */
static void begin_writeback(void *context)
{
    const struct recorder *recorder = context;
    system_begin_writeback(recorder->fd);
}

static void keep_disk_busy(struct recorder *recorder)
{
    if (recorder->unsent >= WRITEBACK_BYTES && recorder->fd >= 0 &&
        worker_offer(recorder->overlap->writeback, begin_writeback, recorder))
        recorder->unsent = 0;
}

static void make_commit(void *context)
{
    struct recorder *recorder = context;
    struct overlap *overlap = recorder->overlap;
    overlap->commit_status =
        commit_make(recorder, &overlap->commit, &overlap->commit_error);
}

/* Starts the commit when its turn among the rows has come and the previous
 * commit is complete. */
static enum status start_commit(struct recorder *recorder, struct error *error)
{
    struct overlap *overlap = recorder->overlap;
    enum status status =
        recorder_finish_waves(recorder, overlap->commit.rows, error);
    if (!status)
        worker_send(overlap->commits, make_commit, recorder);
    return status;
}

/* A row stays in the ring while it is written, because its arrays belong to the
 * caller. */
static void take_out(struct overlap *overlap)
{
    bool commit = overlap->waiting[overlap->first].row == COMMIT;
    overlap->first = (overlap->first + 1) % (overlap->room + 1);
    overlap->count--;
    overlap->rows_waiting -= !commit;
    overlap->commit_waiting &= !commit;
    pthread_cond_signal(&overlap->fewer);
}

/* Writes the entries of the ring until it is empty; after an error none. */
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
            status = next->row == COMMIT
                         ? start_commit(recorder, &error)
                         : recorder_write_waves(recorder, next->row,
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

/* An error of a thread is returned to every caller that waits from then on. */
static enum status fault_of(enum status status, const struct error *why,
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
    worker_wait(overlap->rows);
    return fault_of(overlap->row_status, &overlap->row_error, error);
}

/* Does not wait for the rows after the commit, which it does not need. */
enum status overlap_settle_commit(struct recorder *recorder,
                                  struct error *error)
{
    struct overlap *overlap = recorder->overlap;
    if (!overlap)
        return STATUS_OK;
    pthread_mutex_lock(&overlap->mutex);
    while (overlap->commit_waiting)
        pthread_cond_wait(&overlap->fewer, &overlap->mutex);
    enum status status =
        fault_of(overlap->row_status, &overlap->row_error, error);
    pthread_mutex_unlock(&overlap->mutex);
    worker_wait(overlap->commits);
    return status ? status
                  : fault_of(overlap->commit_status, &overlap->commit_error,
                             error);
}

/* Puts a row or a commit into the ring, which must have room. */
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
        worker_send(overlap->rows, write_rows, recorder);
}

/* Waits for room for one row; if the ring was full, until it is half empty, so
 * that the two threads do not wake each other for every row. */
static enum status wait_for_room(struct overlap *overlap, struct error *error)
{
    pthread_mutex_lock(&overlap->mutex);
    if (overlap->rows_waiting == overlap->room)
        while (overlap->rows_waiting > overlap->room / 2)
            pthread_cond_wait(&overlap->fewer, &overlap->mutex);
    enum status status =
        fault_of(overlap->row_status, &overlap->row_error, error);
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
    return !waiting && worker_idle(overlap->commits);
}

enum status overlap_row(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error)
{
    if (!recorder->overlap)
        return recorder_write_waves(recorder, row, fields, error);
    put(recorder, &(struct waiting){ .row = row, .fields = *fields });
    return wait_for_room(recorder->overlap, error);
}

enum status overlap_commit(struct recorder *recorder,
                           const struct slot_header *commit,
                           struct error *error)
{
    if (recorder->overlap) {
        recorder->overlap->commit = *commit;
        put(recorder, &(struct waiting){ .row = COMMIT });
        return STATUS_OK;
    }
    enum status status = recorder_finish_waves(recorder, commit->rows, error);
    return status ? status : commit_make(recorder, commit, error);
}
