/* SPDX-License-Identifier: MIT */
/* The order of a commit: data, sync, counts in /status, sync. The state to
 * resume from goes to the slot that the last commit did not use. */
#include "recording/write/file.h"

#include "base/crc32c.h"
#include "base/disk.h"

#include <errno.h>
#include <unistd.h>

const char *const recorder_mark_names[MARKS] = {
    "status/arrivals",   "status/emissions",
    "status/captures",   "status/plans",
    "status/plan_cells", "status/sequence",
    "status/committed",  "provenance/step_nanoseconds",
    "status/state",
};

enum status recorder_sync(struct recorder *recorder, int64_t rows,
                          struct error *error)
{
    while (fdatasync(recorder->fd) < 0)
        if (errno != EINTR)
            return error_system(error, STATUS_DISK,
                                "%s: rows below %lld cannot be synced",
                                recorder->path, (long long)rows);
    return STATUS_OK;
}

enum status recorder_write_mark(struct recorder *recorder, enum mark mark,
                                int64_t value, struct error *error)
{
    const struct layout_item *item = recorder->mark_items[mark];
    if (value == recorder->marks[mark])
        return STATUS_OK;
    if (!disk_write(recorder->fd, &value, sizeof value, item->offset))
        return recorder_write_error(recorder, item->variable.name, 0, error);
    recorder->marks[mark] = value;
    return STATUS_OK;
}

int64_t recorder_path_cells(const struct recorder *recorder)
{
    return (int64_t)(recorder->plan_cells[0].end / sizeof(int32_t));
}

struct slot_header slot_header_make(const struct recorder *recorder,
                                    int64_t rows)
{
    struct slot_header header = {
        .magic = SLOT_MAGIC,
        .sequence = recorder->sequence + 1,
        .rows = rows - (recorder->odd_end && rows == recorder->next_row),
        .bytes = (int64_t)recorder->restart_bytes,
        .plan_cells = recorder_path_cells(recorder),
        .versions = (int64_t)recorder->versions_written,
    };
    for (int t = 0; t < TABLES; t++)
        header.table_rows[t] = recorder->tables[t].rows;
    return header;
}

uint32_t slot_crc_front(const struct slot_header *header)
{
    const unsigned char *bytes = (const unsigned char *)header;
    size_t from = offsetof(struct slot_header, sequence);
    return crc32c(0, bytes + from, sizeof *header - from);
}

/* Writes the slot that the last commit did not use: that commit's state stays
 * valid until this one is. */
static enum status write_slot(struct recorder *recorder,
                              struct slot_header header, const void *restart,
                              struct error *error)
{
    const struct layout_item *item = recorder->slots[header.sequence % SLOTS];
    if (!item || !restart)
        return STATUS_OK;
    header.crc =
        crc32c(slot_crc_front(&header), restart, recorder->restart_bytes);
    if (!disk_write(recorder->fd, &header, sizeof header, item->offset) ||
        !disk_write(recorder->fd, restart, recorder->restart_bytes,
                    item->offset + sizeof header))
        return recorder_write_error(recorder, item->variable.name, 0, error);
    return STATUS_OK;
}

enum status recorder_write_marks(struct recorder *recorder,
                                 const struct slot_header *commit,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (int t = 0; t < TABLES && !status; t++)
        status = recorder_write_mark(recorder, MARK_TABLES + t,
                                     commit->table_rows[t], error);
    if (!status)
        status = recorder_write_mark(recorder, MARK_PLAN_CELLS,
                                     commit->plan_cells, error);
    if (!status)
        status = recorder_write_mark(recorder, MARK_SEQUENCE, commit->sequence,
                                     error);
    return status ? status
                  : recorder_write_mark(recorder, MARK_COMMITTED, commit->rows,
                                        error);
}

enum status commit_make(struct recorder *recorder,
                        const struct slot_header *commit, struct error *error)
{
    enum status status = shared_settle(recorder, error);
    if (status || recorder->follows)
        return status;
    status = recorder_sync(recorder, commit->rows, error);
    if (!status)
        status = recorder_write_marks(recorder, commit, error);
    return status ? status : recorder_sync(recorder, commit->rows, error);
}

/* `state` is that of one process, or of the ranks; either may be absent. */
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
    struct slot_header slot = slot_header_make(recorder, rows);
    enum status status =
        recorder->shared ? overlap_settle_rows(recorder, error) : STATUS_OK;
    if (!status)
        status = shared_checksums(recorder, error);
    if (!status)
        status = recorder_each_small(recorder, column_flush, error);
    /* Until the previous commit is durable, its slot is the only valid one. */
    if (!status)
        status = overlap_settle_commit(recorder, error);
    if (!status)
        shared_meet(recorder);
    if (!status && state)
        status = shared_state(recorder, rows, state, error);
    else if (!status)
        status = write_slot(recorder, slot, restart, error);
    /* including the last row, which the state may not include */
    slot.rows = rows;
    if (!status)
        status = overlap_commit(recorder, &slot, error);
    if (!status) {
        recorder->committed = rows;
        recorder->sequence++;
        recorder_keep(recorder);
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
