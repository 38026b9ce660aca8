/* SPDX-License-Identifier: MIT */
/* The order that makes a commit: data, sync, marks, sync. */
#include "recording/recorder_parts.h"

#include "base/crc32c.h"
#include "recording/disk.h"

#include <errno.h>
#include <unistd.h>

enum status sync_data(struct recorder *recorder, int64_t rows,
                      struct error *error)
{
    while (fdatasync(recorder->fd) < 0)
        if (errno != EINTR)
            return error_system(error, STATUS_DISK,
                                "%s: rows below %lld cannot be synced",
                                recorder->path, (long long)rows);
    return STATUS_OK;
}

enum status write_mark(struct recorder *recorder, enum mark mark, int64_t value,
                       struct error *error)
{
    const struct layout_item *item = recorder->mark_items[mark];
    if (value == recorder->marks[mark])
        return STATUS_OK;
    if (!disk_write(recorder->fd, &value, sizeof value, item->offset))
        return write_error(recorder, item->variable.name, 0, error);
    recorder->marks[mark] = value;
    return STATUS_OK;
}

int64_t path_cells(const struct recorder *recorder)
{
    return (int64_t)(recorder->plan_cells[0].end / sizeof(int32_t));
}

struct slot_header slot_header_of(const struct recorder *recorder, int64_t rows)
{
    struct slot_header header = {
        .magic = SLOT_MAGIC,
        .sequence = recorder->sequence + 1,
        .rows = rows - (recorder->odd_end && rows == recorder->next_row),
        .bytes = (int64_t)recorder->restart_bytes,
        .plan_cells = path_cells(recorder),
        .versions = (int64_t)recorder->versions_written,
    };
    for (int t = 0; t < TABLES; t++)
        header.table_rows[t] = recorder->tables[t].rows;
    return header;
}

/* The slot that the last commit did not use: its state stays good until this
 * one is. */
static enum status write_slot(struct recorder *recorder, int64_t rows,
                              const void *restart, struct error *error)
{
    struct slot_header header = slot_header_of(recorder, rows);
    const struct layout_item *item = recorder->slots[header.sequence % SLOTS];
    if (!item || !restart)
        return STATUS_OK;
    header.crc =
        crc32c(slot_crc_front(&header), restart, recorder->restart_bytes);
    if (!disk_write(recorder->fd, &header, sizeof header, item->offset) ||
        !disk_write(recorder->fd, restart, recorder->restart_bytes,
                    item->offset + sizeof header))
        return write_error(recorder, item->variable.name, 0, error);
    return STATUS_OK;
}

uint32_t slot_crc_front(const struct slot_header *header)
{
    const unsigned char *bytes = (const unsigned char *)header;
    size_t from = offsetof(struct slot_header, sequence);
    return crc32c(0, bytes + from, sizeof *header - from);
}

static enum status write_marks(struct recorder *recorder,
                               const struct commit_marks *marks,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (int t = 0; t < TABLES && !status; t++)
        status =
            write_mark(recorder, MARK_TABLES + t, marks->table_rows[t], error);
    if (!status)
        status =
            write_mark(recorder, MARK_PLAN_CELLS, marks->plan_cells, error);
    if (!status)
        status = write_mark(recorder, MARK_SEQUENCE, marks->sequence, error);
    return status ? status
                  : write_mark(recorder, MARK_COMMITTED, marks->rows, error);
}

enum status commit_marks(struct recorder *recorder,
                         const struct commit_marks *marks, struct error *error)
{
    enum status status = shared_settle(recorder, error);
    if (status || recorder->follows)
        return status;
    status = sync_data(recorder, marks->rows, error);
    if (!status)
        status = write_marks(recorder, marks, error);
    return status ? status : sync_data(recorder, marks->rows, error);
}

static struct commit_marks marks_now(const struct recorder *recorder,
                                     int64_t rows)
{
    struct commit_marks marks = {
        .rows = rows,
        .sequence = recorder->sequence + 1,
        .plan_cells = path_cells(recorder),
    };
    for (int t = 0; t < TABLES; t++)
        marks.table_rows[t] = recorder->tables[t].rows;
    return marks;
}

/* The state is one process's, or what ranks have of it; either may be absent.
 */
static enum status commit(struct recorder *recorder, int64_t rows,
                          const void *restart, const struct state_shared *state,
                          struct error *error)
{
    if (rows > recorder->next_row || rows < recorder->committed)
        return error_at(error, STATUS_FAILED, recorder->path, 0,
                        "a commit of %lld rows where %lld are written and "
                        "%lld committed",
                        (long long)rows, (long long)recorder->next_row,
                        (long long)recorder->committed);
    enum status status =
        recorder->shared ? overlap_settle_rows(recorder, error) : STATUS_OK;
    if (!status)
        status = shared_checksums(recorder, error);
    if (!status)
        status = recorder_each_small(recorder, column_flush, error);
    /* Until the commit before is durable, its slot is the only good one. */
    if (!status)
        status = overlap_settle_commit(recorder, error);
    if (!status)
        shared_meet(recorder);
    if (!status && state)
        status = shared_state(recorder, rows, state, error);
    else if (!status)
        status = write_slot(recorder, rows, restart, error);
    struct commit_marks marks = marks_now(recorder, rows);
    if (!status)
        status = overlap_commit(recorder, &marks, error);
    if (!status) {
        recorder->committed = rows;
        recorder->sequence++;
    }
    return status;
}

enum status recorder_commit(struct recorder *recorder, int64_t rows,
                            const void *restart, struct error *error)
{
    return commit(recorder, rows, restart, NULL, error);
}

enum status recorder_commit_shared(struct recorder *recorder, int64_t rows,
                                   const struct state_shared *state,
                                   struct error *error)
{
    return commit(recorder, rows, NULL, state, error);
}
