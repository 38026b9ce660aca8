/* SPDX-License-Identifier: MIT */
/* Going on with a recording that was found (recorder_find.c): in place, or in a
 * file that is laid out anew. */
#include "recording/recorder_found.h"

#include "recording/disk.h"

#include <string.h>
#include <unistd.h>

/* A last row that stands between those that go on is counted no longer. */
static enum status forget_odd_end(const char *path, const struct laid_out *file,
                                  const struct slot_header *slot,
                                  struct error *error)
{
    const struct layout_item *mark =
        layout_find(&file->layout, mark_names[MARK_COMMITTED]);
    return disk_write(file->fd, &slot->rows, sizeof slot->rows, mark->offset)
               ? STATUS_OK
               : error_system(error, STATUS_DISK, "%s: cannot be written",
                              path);
}

/* A whole new file with room for all, holding all that the old one does. */
static enum status lay_out_anew(struct recorder *recorder,
                                const struct before *before,
                                const struct recording_plan *plan,
                                struct error *error)
{
    struct laid_out file = { .fd = -1 };
    const char *path = recorder->path;
    enum status status =
        lay_out(path, &recorder->shape, &recorder->header, &file, error);
    if (!status)
        status = copy_shared(before->fd, &before->layout, file.fd, &file.layout,
                             path, error);
    if (!status)
        status = write_plan(file.fd, path, &file.layout, plan, error);
    if (!status)
        status = forget_odd_end(path, &file, &before->slot, error);
    if (!status && fsync(file.fd) < 0)
        status = error_system(error, STATUS_DISK, "%s: cannot be synced", path);
    if (!status)
        status = disk_rename(file.temporary, path, true, error);
    if (!status)
        status = recorder_adopt(recorder, &file, error);
    lay_out_undo(&file);
    return status;
}

static enum status go_on_in_place(struct recorder *recorder,
                                  struct before *before, struct error *error)
{
    struct laid_out file = { .fd = before->fd, .layout = before->layout };
    before->fd = -1;
    before->layout = (struct layout){ 0 };
    return recorder_adopt(recorder, &file, error);
}

/* A column's end is the number of its rows, whichever they are. */
static enum status seek(struct recorder *recorder, struct column *column,
                        struct error *error)
{
    const struct variable *variable = &column->item->variable;
    int64_t rows = recorder->next_row;
    if (strcmp(variable->axis[0], "version") == 0)
        rows = (int64_t)recorder->versions_written;
    column->end = (uint64_t)rows * layout_row_bytes(column->item);
    return STATUS_OK;
}

/* Rows past the commit go back to -1: the run may end before it makes as
 * many again. */
static enum status seek_to(struct recorder *recorder, struct column *column,
                           int64_t rows, struct error *error)
{
    const struct layout_item *item = column->item;
    if (!item)
        return STATUS_OK;
    column->end = (uint64_t)rows * layout_row_bytes(item);
    if (!fill_unused(recorder->fd, item, column->end))
        return write_error(recorder, item->variable.name, rows, error);
    return STATUS_OK;
}

static enum status seek_tables(struct recorder *recorder,
                               const struct slot_header *slot,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (int t = 0; t < TABLES; t++) {
        struct table *table = &recorder->tables[t];
        table->rows = slot->table_rows[t];
        for (int i = 0; i < TABLE_COLUMNS && !status; i++)
            status = seek_to(recorder, &table->columns[i], table->rows, error);
    }
    for (int axis = 0; axis < GRID_AXES && !status; axis++)
        status = seek_to(recorder, &recorder->plan_cells[axis],
                         slot->plan_cells, error);
    return status;
}

/* Rows past the slot's, of tables too, are counted no longer, before they go:
 * a last row between those that go on, and what happened since. The fields'
 * rows first, so that no row is left without what happened until it; and the
 * next slot must find its own commit's number not yet reached. */
static enum status forget_rows(struct recorder *recorder,
                               const struct slot_header *slot,
                               struct error *error)
{
    enum status status = write_mark(recorder, MARK_STATE, RUN_RUNNING, error);
    if (!status)
        status = write_mark(recorder, MARK_COMMITTED, slot->rows, error);
    if (!status)
        status = sync_data(recorder, slot->rows, error);
    if (!status)
        status = write_mark(recorder, MARK_SEQUENCE, slot->sequence, error);
    for (int t = 0; t < TABLES && !status; t++)
        status =
            write_mark(recorder, MARK_TABLES + t, slot->table_rows[t], error);
    if (!status)
        status = write_mark(recorder, MARK_PLAN_CELLS, slot->plan_cells, error);
    return status ? status : sync_data(recorder, slot->rows, error);
}

static enum status take_up(struct recorder *recorder,
                           const struct slot_header *slot, struct error *error)
{
    recorder->next_row = recorder->committed = slot->rows;
    recorder->first_row = slot->rows;
    recorder->sequence = slot->sequence;
    recorder->versions_written = (size_t)slot->versions;
    /* Rows past the state were there already, and have come into a file that
     * was laid out anew too. */
    recorder->blank = false;
    /* Marks as they stand are not known here: none is taken as written. */
    for (int mark = 0; mark < MARKS; mark++)
        recorder->marks[mark] = -1;
    enum status status = forget_rows(recorder, slot, error);
    if (!status)
        status = recorder_each_wave(recorder, seek, error);
    if (!status)
        status = recorder_each_small(recorder, seek, error);
    return status ? status : seek_tables(recorder, slot, error);
}

enum status recorder_resume(struct resumption *found, struct recorder **made,
                            struct error *error)
{
    struct recorder *recorder = found->recorder;
    enum status status =
        found->same
            ? go_on_in_place(recorder, &found->before, error)
            : lay_out_anew(recorder, &found->before, found->plan, error);
    if (!status)
        status = take_up(recorder, &found->before.slot, error);
    if (!status) {
        *made = recorder;
        found->recorder = NULL;
    }
    resumption_release(found);
    return status;
}
