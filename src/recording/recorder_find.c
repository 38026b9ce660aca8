/* SPDX-License-Identifier: MIT */
/* Is a recording one that can be gone on with, and from where? Nothing of it is
 * changed. */
#include "recording/recorder_found.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "recording/disk.h"
#include "recording/inspect.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status open_before(const char *path, struct before *before,
                               struct error *error)
{
    struct stat about;
    struct inspection inspection;
    struct shape shape;
    before->fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (before->fd < 0 || fstat(before->fd, &about) < 0)
        return error_system(error, STATUS_INPUT, "%s: cannot be gone on with",
                            path);
    if (flock(before->fd, LOCK_EX | LOCK_NB) < 0)
        return error_at(error, STATUS_INPUT, path, 0,
                        "is being written by another program: wait for it");
    if (!disk_stands_at(before->fd, path) || fstat(before->fd, &about) < 0)
        return error_at(error, STATUS_INPUT, path, 0,
                        "was replaced meanwhile by another program: try again");
    enum status status = inspect_file(before->fd, path, &inspection, error);
    if (status)
        return status;
    status = inspect_layout(&inspection, path, (uint64_t)about.st_size, &shape,
                            &before->layout, error);
    memory_release(inspection.items);
    bool packed = !status && layout_find(&before->layout, "chunk/tile");
    if (packed || (!status && !layout_find(&before->layout, "restart/byte")))
        status = error_at(error, STATUS_INPUT, path, 0,
                          "cannot be gone on with: %s, which hamon-pack leaves "
                          "out; record it again, with more steps, or go on "
                          "with a copy that was not packed",
                          packed ? "it is packed, without the state to go on "
                                   "from"
                                 : "it is without the state to go on from");
    return status;
}

static enum status unlike(const char *path, const char *name, const char *how,
                          struct error *error)
{
    return error_at(error, STATUS_INPUT, path, 0,
                    "cannot be gone on with: %s %s; record the changed run "
                    "under another name",
                    name, how);
}

static bool of_provenance(const struct layout_item *item)
{
    return strncmp(item->variable.name, "provenance/", 11) == 0;
}

/* Only a first axis may differ, and only where it counts what a run makes. */
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

/* A scenario that was changed is told before (tools/resume.c), so it is the
 * program that keeps another state than the one that recorded. */
static enum status unlike_state(const char *path, const struct layout_item *was,
                                const struct layout_item *item,
                                struct error *error)
{
    return error_at(error, STATUS_INPUT, path, 0,
                    "cannot be gone on with: its state to go on from has %lld "
                    "bytes, and this version of Hamon keeps %lld; go on with "
                    "the version that recorded it, or record it again",
                    (long long)was->variable.extent[0],
                    (long long)item->variable.extent[0]);
}

/* *same: the file has room for everything. */
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
                          "was recorded and would not be now", error);
    return STATUS_OK;
}

static const char *text_of(const struct recording_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->text_count; i++)
        if (strcmp(plan->texts[i].name, name) == 0)
            return plan->texts[i].text;
    return "";
}

/* Texts are laid out with the file and never written again: what it says of
 * the run, of its steps above all, must be what the run is now, also where as
 * many rows are made of other steps. */
static bool tells_the_same(const struct before *before,
                           const struct recording_plan *plan)
{
    const struct layout_item *item =
        layout_find(&before->layout, "provenance/parameters");
    const char *text = text_of(plan, "parameters");
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

/* Piece by piece: a state may be larger than one of its ranks' memory. */
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
        layout_find(&before->layout, mark_names[mark]);
    int64_t value;
    bool read =
        item && disk_read(before->fd, &value, sizeof value, item->offset);
    return read ? value : 0;
}

/* A slot counts where its checksum holds and the commit that wrote it came to
 * its end. Rows alone do not tell that: a commit between two rows has as many
 * as the one before, and what it says of the tables may never have been
 * synced. */
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
        return error_system(error, STATUS_INPUT, "%s: cannot be gone on with",
                            path);
    if (best >= 0)
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, path, 0,
                    "cannot be gone on with: %s; record it again",
                    ended ? "the state of its last commit is damaged, its "
                            "checksum is another"
                          : "it holds no state of a commit");
}

/* Counts from the slot must fit before anything is written by them. */
static enum status check_counts(const char *path, const struct shape *shape,
                                const struct slot_header *slot,
                                struct error *error)
{
    static const enum axis axes[TABLES] = { AXIS_ARRIVAL, AXIS_EMISSION,
                                            AXIS_CAPTURE, AXIS_PLAN };
    if (slot->rows > shape->length[AXIS_TIME])
        return error_at(error, STATUS_INPUT, path, 0,
                        "cannot be gone on with: %lld rows are recorded, and "
                        "with these steps there are %lld; ask for as many "
                        "steps, or more",
                        (long long)slot->rows,
                        (long long)shape->length[AXIS_TIME]);
    bool good = slot->rows <= shape->length[AXIS_TIME] && slot->rows > 0 &&
                slot->versions > 0 &&
                slot->versions <= shape->length[AXIS_VERSION] &&
                slot->plan_cells >= 0 &&
                slot->plan_cells <= shape->length[AXIS_PATH_CELL];
    for (int t = 0; t < TABLES; t++)
        good = good && slot->table_rows[t] >= 0 &&
               slot->table_rows[t] <= shape->length[axes[t]];
    if (!good)
        return error_at(error, STATUS_INPUT, path, 0,
                        "cannot be gone on with: more is recorded than the "
                        "run would have room for");
    return STATUS_OK;
}

/* Compares it with the run that is to go on, and finds its last state. */
static enum status look_into(struct resumption *found, void *restart,
                             struct error *error)
{
    const struct recorder *recorder = found->recorder;
    struct before *before = &found->before;
    struct layout wanted = { 0 };
    const char *path = recorder->path;
    enum status status = layout_expand(&recorder->shape, &wanted, error);
    if (!status)
        status = compare(path, &before->layout, &wanted, &found->same, error);
    if (!status && found->same)
        found->same = tells_the_same(before, found->plan);
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
