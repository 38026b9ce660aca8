/* SPDX-License-Identifier: MIT */
/* Resuming a recording. First the file is found and compared with the plan, and
 * its last valid state is selected, without changing it; then recording
 * continues in the file, or in a new one. */
#include "recording/write/file.h"

#include "base/crc32c.h"
#include "base/disk.h"
#include "base/memory.h"
#include "recording/read/inspect.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file to resume, as it was found. */
struct before {
    int fd;
    struct layout layout;
    struct slot_header slot;
};

struct resumption {
    struct before before;
    struct recorder *recorder; /* which is to continue with it */
    const struct recording_plan *plan;
    bool same; /* same space, same parameters: it is resumed in place */
};

/* ---- is it the same run, and which state is the last? ---- */

static enum status open_before(const char *path, struct before *before,
                               struct error *error)
{
    struct stat about;
    struct inspection inspection;
    struct shape shape;
    if (disk_refuse_link(path, error))
        return STATUS_INPUT;
    before->fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (before->fd < 0 || fstat(before->fd, &about) < 0)
        return error_system(error, STATUS_INPUT, "%s: cannot be resumed", path);
    if (flock(before->fd, LOCK_EX | LOCK_NB) < 0)
        return error_at(error, STATUS_INPUT, path, 0,
                        "is being written by another program: wait for it");
    if (!disk_stands_at(before->fd, path) || fstat(before->fd, &about) < 0)
        return error_at(error, STATUS_INPUT, path, 0,
                        "was replaced meanwhile by another program: try again");
    enum status status = inspect_file(before->fd, path, &inspection, error);
    if (status)
        return status;
    status = inspect_layout(&inspection, path, (uint64_t)about.st_size, 0,
                            &shape, &before->layout, error);
    memory_release(inspection.items);
    bool packed = !status && layout_find(&before->layout, "chunk/tile");
    if (packed || (!status && !layout_find(&before->layout, "restart/byte")))
        status = error_at(
            error, STATUS_INPUT, path, 0,
            "cannot be resumed: %s, which hamon-pack leaves out; record it "
            "again with more steps, or resume a copy that was not packed",
            packed ? "it is packed, without the state to resume from"
                   : "it has no state to resume from");
    return status;
}

static enum status unlike(const char *path, const char *name, const char *how,
                          struct error *error)
{
    return error_at(
        error, STATUS_INPUT, path, 0,
        "cannot be resumed: %s %s; record the changed run under another name",
        name, how);
}

static bool of_provenance(const struct layout_item *item)
{
    return strncmp(item->variable.name, "provenance/", 11) == 0;
}

/* Only the first axis may differ, and only if its length depends on the
 * progress of the run. */
static bool continues(const struct layout_item *was,
                      const struct layout_item *item)
{
    static const char *const growing[] = { "time",    "keyframe", "version",
                                           "arrival", "emission", "capture",
                                           "plan",    "path_cell" };
    const struct variable *a = &was->variable, *b = &item->variable;
    if (a->type != b->type || a->rank != b->rank)
        return false;
    for (int axis = 0; axis < a->rank; axis++) {
        bool grows = false;
        for (size_t i = 0; axis == 0 && i < sizeof growing / sizeof *growing;
             i++)
            grows = grows || strcmp(a->axis[0], growing[i]) == 0;
        if (!grows && a->extent[axis] != b->extent[axis])
            return false;
    }
    return true;
}

/* A changed scenario is reported earlier (tools/record/resume.c), so here the
 * difference is in the program: it stores another state than the one that made
 * the recording. */
static enum status unlike_state(const char *path, const struct layout_item *was,
                                const struct layout_item *item,
                                struct error *error)
{
    return error_at(error, STATUS_INPUT, path, 0,
                    "cannot be resumed: its state has %lld bytes, and this "
                    "version of Hamon requires %lld; resume it with the "
                    "version that recorded it, or record it again",
                    (long long)was->variable.extent[0],
                    (long long)item->variable.extent[0]);
}

/* *same: the file has enough room. */
static enum status compare(const char *path, const struct layout *old,
                           const struct layout *new, bool *same,
                           struct error *error)
{
    *same = true;
    for (size_t i = 0; i < new->count; i++) {
        const struct layout_item *item = &new->items[i];
        const struct layout_item *was = layout_find(old, item->variable.name);
        if (of_provenance(item))
            continue;
        if (!was)
            return unlike(path, item->variable.name, "was not recorded", error);
        if (!continues(was, item) &&
            strcmp(item->variable.name, "restart/byte") == 0)
            return unlike_state(path, was, item, error);
        if (!continues(was, item))
            return unlike(path, item->variable.name, "was of another size",
                          error);
        *same = *same && was->bytes == item->bytes;
    }
    for (size_t i = 0; i < old->count; i++)
        if (!of_provenance(&old->items[i]) &&
            !layout_find(new, old->items[i].variable.name))
            return unlike(path, old->items[i].variable.name,
                          "was recorded, and would not be recorded now", error);
    return STATUS_OK;
}

/* Texts are written when the file is created, and never again. The parameters
 * in the file must be those of the resumed run, above all its steps, even if
 * the number of frames stays the same. */
static bool has_parameters(const struct before *before,
                           const struct recording_plan *plan)
{
    const struct layout_item *item =
        layout_find(&before->layout, "provenance/parameters");
    const char *text = recording_plan_text(plan, "parameters");
    char piece[COLUMN_BYTES];
    size_t length = strlen(text);
    if (!item || !length)
        return !item && !length;
    if (item->bytes != length)
        return false;
    for (size_t at = 0; at < length; at += sizeof piece) {
        size_t bytes = length - at < sizeof piece ? length - at : sizeof piece;
        if (!disk_read(before->fd, piece, bytes, item->offset + at) ||
            memcmp(piece, text + at, bytes) != 0)
            return false;
    }
    return true;
}

static const struct layout_item *slot_item(const struct before *before,
                                           int which)
{
    return layout_find(&before->layout,
                       which ? "restart/state1" : "restart/state0");
}

/* Piece by piece: the state of all ranks may be larger than the memory of
 * one. */
static bool checksum_holds(const struct before *before,
                           const struct layout_item *item,
                           const struct slot_header *header, char *piece)
{
    uint64_t at = item->offset + sizeof *header;
    uint64_t end = at + (uint64_t)header->bytes;
    uint32_t crc = slot_crc_front(header);
    for (; at < end; at += PIECE_BYTES) {
        size_t bytes =
            end - at < PIECE_BYTES ? (size_t)(end - at) : PIECE_BYTES;
        if (!disk_read(before->fd, piece, bytes, at))
            return false;
        crc = crc32c(crc, piece, bytes);
    }
    return crc == header->crc;
}

static int64_t mark_before(const struct before *before, enum mark mark)
{
    const struct layout_item *item =
        layout_find(&before->layout, recorder_mark_names[mark]);
    int64_t value;
    bool read =
        item && disk_read(before->fd, &value, sizeof value, item->offset);
    return read ? value : 0;
}

/* A slot is valid if its checksum is right and the commit that wrote it was
 * completed. The number of frames is not enough to know that: a commit between
 * two frames has as many as the one before, and its table counts may never have
 * been synced. */
static bool slot_ended(const struct before *before, int which, size_t bytes,
                       struct slot_header *header)
{
    const struct layout_item *item = slot_item(before, which);
    return item && item->bytes == sizeof *header + bytes &&
           disk_read(before->fd, header, sizeof *header, item->offset) &&
           header->magic == SLOT_MAGIC && header->bytes == (int64_t)bytes &&
           header->rows >= 0 &&
           header->rows <= mark_before(before, MARK_COMMITTED) &&
           header->sequence <= mark_before(before, MARK_SEQUENCE) &&
           header->sequence % SLOTS == which;
}

static enum status choose_slot(const char *path, struct before *before,
                               size_t bytes, void *restart, struct error *error)
{
    int64_t best = -1;
    bool ended = false;
    char *piece = memory_new(PIECE_BYTES, 1);
    if (!piece)
        return error_memory(error);
    for (int which = 0; which < SLOTS; which++) {
        struct slot_header header;
        if (!slot_ended(before, which, bytes, &header))
            continue;
        ended = true;
        if (header.sequence > best &&
            checksum_holds(before, slot_item(before, which), &header, piece)) {
            best = header.sequence;
            before->slot = header;
        }
    }
    memory_release(piece);
    if (best >= 0 && restart &&
        !disk_read(before->fd, restart, bytes,
                   slot_item(before, (int)(best % SLOTS))->offset +
                       sizeof before->slot))
        return error_system(error, STATUS_INPUT, "%s: cannot be resumed", path);
    if (best >= 0)
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, path, 0,
                    "cannot be resumed: %s; record it again",
                    ended ? "the state of its last commit is damaged: its "
                            "checksum does not match"
                          : "it has no state of a commit");
}

/* Counts from the slot must be in range before anything is written by them. */
static enum status check_counts(const char *path, const struct shape *shape,
                                const struct slot_header *slot,
                                struct error *error)
{
    if (slot->rows > shape->length[AXIS_TIME])
        return error_at(
            error, STATUS_INPUT, path, 0,
            "cannot be resumed: %lld rows are recorded, and with these steps "
            "there are %lld; set as many steps, or more",
            (long long)slot->rows, (long long)shape->length[AXIS_TIME]);
    bool good = slot->rows <= shape->length[AXIS_TIME] && slot->rows > 0 &&
                slot->versions > 0 &&
                slot->versions <= shape->length[AXIS_VERSION] &&
                slot->plan_cells >= 0 &&
                slot->plan_cells <= shape->length[AXIS_PATH_CELL];
    for (int t = 0; t < TABLES; t++)
        good = good && slot->table_rows[t] >= 0 &&
               slot->table_rows[t] <= shape->length[schema_tables[t].axis];
    if (!good)
        return error_at(
            error, STATUS_INPUT, path, 0,
            "cannot be resumed: more is recorded than the run has room for");
    return STATUS_OK;
}

/* Until November 2026 axes contained steps and cells even if the scenario had a
 * scale, and checksums had the names of their variables. Such a recording is
 * resumed in its own form. */
static void keep_names(const struct layout *before, struct shape *shape)
{
    static const struct {
        const char *name;
        enum part part;
    } since[] = { { "step", PART_SECONDS },
                  { "cell_x", PART_METRES },
                  { "crc/crc_wall", PART_OWN_NAMES } };
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        if (!layout_find(before, since[i].name))
            shape->parts &= ~(unsigned)since[i].part;
}

/* Compares the file with the run that is to continue, and finds its last
 * state. */
static enum status look_into(struct resumption *found, void *restart,
                             struct error *error)
{
    struct recorder *recorder = found->recorder;
    struct before *before = &found->before;
    keep_names(&before->layout, &recorder->shape);
    struct layout wanted = { 0 };
    const char *path = recorder->path;
    enum status status = layout_expand(&recorder->shape, &wanted, error);
    if (!status)
        status = compare(path, &before->layout, &wanted, &found->same, error);
    if (!status && found->same)
        found->same = has_parameters(before, found->plan);
    if (!status)
        status = choose_slot(path, before, found->plan->restart_bytes, restart,
                             error);
    if (!status)
        status = check_counts(path, &recorder->shape, &before->slot, error);
    layout_release(&wanted);
    return status;
}

enum status recorder_find(const char *path, const struct recording_plan *plan,
                          void *restart, struct resumption **found,
                          struct error *error)
{
    struct resumption *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->before.fd = -1;
    made->plan = plan;
    enum status status = recorder_start(path, plan, &made->recorder, error);
    if (!status)
        status = open_before(path, &made->before, error);
    if (!status)
        status = look_into(made, restart, error);
    if (status)
        resumption_release(made);
    else
        *found = made;
    return status;
}

void resumption_release(struct resumption *found)
{
    if (!found)
        return;
    if (found->before.fd >= 0)
        close(found->before.fd);
    layout_release(&found->before.layout);
    if (found->recorder)
        recorder_abandon(found->recorder);
    memory_release(found);
}

int64_t resumption_rows(const struct resumption *found)
{
    return found->before.slot.rows;
}

uint64_t resumption_state_at(const struct resumption *found)
{
    int which = (int)(found->before.slot.sequence % SLOTS);
    return slot_item(&found->before, which)->offset +
           sizeof(struct slot_header);
}

/* ---- resuming ---- */

/* The new file is marked as unfinished before it gets its name, even if the old
 * one was finished: RUN_DONE with fewer steps than planned would mean that the
 * run's stop rule ended it, and it would never be resumed. A last frame at a
 * step that is no multiple of `every` is no longer counted. */
static enum status mark_resumed(const char *path, const struct laid_out *file,
                                const struct slot_header *slot,
                                struct error *error)
{
    const int64_t state = RUN_RUNNING;
    const struct layout_item *mark[] = {
        layout_find(&file->layout, recorder_mark_names[MARK_STATE]),
        layout_find(&file->layout, recorder_mark_names[MARK_COMMITTED]),
    };
    return disk_write(file->fd, &state, sizeof state, mark[0]->offset) &&
                   disk_write(file->fd, &slot->rows, sizeof slot->rows,
                              mark[1]->offset)
               ? STATUS_OK
               : error_system(error, STATUS_DISK, "%s: cannot be written",
                              path);
}

/* Creates a new file with enough room and copies all of the old one. */
static enum status lay_out_anew(struct recorder *recorder,
                                const struct before *before,
                                const struct recording_plan *plan,
                                struct error *error)
{
    struct laid_out file = { .fd = -1 };
    const char *path = recorder->path;
    enum status status =
        laid_out_make(path, &recorder->shape, &recorder->header, &file, error);
    if (!status)
        status = laid_out_copy(before->fd, &before->layout, &file, path, error);
    if (!status)
        status = laid_out_write_plan(&file, path, plan, error);
    if (!status)
        status = mark_resumed(path, &file, &before->slot, error);
    if (!status)
        status = laid_out_publish(&file, path, true, error);
    if (!status)
        status = recorder_adopt(recorder, &file, error);
    laid_out_undo(&file);
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

/* The end of a column depends only on the number of its rows. */
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

/* Rows after the commit are filled with -1 again, because the run may end
 * before it writes as many. */
static enum status seek_to(struct recorder *recorder, struct column *column,
                           int64_t rows, struct error *error)
{
    const struct layout_item *item = column->item;
    if (!item)
        return STATUS_OK;
    column->end = (uint64_t)rows * layout_row_bytes(item);
    if (!layout_fill_unused(recorder->fd, item, column->end))
        return recorder_write_error(recorder, item->variable.name, rows, error);
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

/* Rows after the slot's, of tables too, are removed from the counts before they
 * are overwritten: these are a last frame that is no multiple of `every`, and
 * the events since. The order: first the state, because readers compare the
 * tables' counts with the frames only while a run is not finished; then the
 * frames, so that no frame is without its events; then the tables. The next
 * slot must find that the number of its own commit is not reached yet. */
static enum status forget_rows(struct recorder *recorder,
                               const struct slot_header *slot,
                               struct error *error)
{
    enum status status =
        recorder_write_mark(recorder, MARK_STATE, RUN_RUNNING, error);
    if (!status)
        status = recorder_sync(recorder, slot->rows, error);
    if (!status)
        status =
            recorder_write_mark(recorder, MARK_COMMITTED, slot->rows, error);
    if (!status)
        status = recorder_sync(recorder, slot->rows, error);
    if (!status)
        status = recorder_write_marks(recorder, slot, error);
    return status ? status : recorder_sync(recorder, slot->rows, error);
}

static enum status take_up(struct recorder *recorder,
                           const struct slot_header *slot, struct error *error)
{
    recorder->next_row = recorder->committed = slot->rows;
    recorder->first_row = slot->rows;
    recorder->sequence = slot->sequence;
    recorder->versions_written = (size_t)slot->versions;
    /* The file already contains rows after the state, and a new file has copies
     * of them. */
    recorder->blank = false;
    /* The present values in /status are not known here, so all are written
     * again. */
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
