/* SPDX-License-Identifier: MIT */
/* One recording written by ranks that share a run: the first has laid it out
 * and writes all that is small, as alone; the fields come from all. */
#include "recording/shared_parts.h"

#include "base/memory.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Where this rank's bytes of a region lie. */
static void make_gaps(struct shared *shared, const struct box *region,
                      size_t item)
{
    const struct box *box = &shared->block.box;
    const int *at = shared->block.at;
    uint64_t line = box_width(region, 0) * item;
    uint64_t layer = line * box_width(region, 1);
    uint64_t row_gap = line - box_width(box, 0) * item;
    uint64_t layer_gap = layer - box_width(box, 1) * line + row_gap;
    size_t last_y = (size_t)at[1] + box_width(box, 1) - 1;
    size_t last_z = (size_t)at[2] + box_width(box, 2) - 1;
    uint64_t end = last_z * layer + last_y * line +
                   ((size_t)at[0] + box_width(box, 0)) * item;
    uint64_t whole = layer * box_width(region, 2);
    crc32c_gap_make(&shared->row, row_gap);
    crc32c_gap_make(&shared->layer, layer_gap);
    crc32c_gap_make(&shared->behind, whole - end);
    crc32c_gap_make(&shared->whole, whole);
}

static void place_block(struct shared *shared, const struct box *own,
                        const struct box *region)
{
    shared->block.block = *own;
    shared->block.any = box_meet(own, region, &shared->block.box);
    for (int axis = 0; axis < GRID_AXES; axis++)
        shared->block.at[axis] =
            shared->block.box.low[axis] - region->low[axis];
}

/* Rows go where the first has laid out their columns. */
static enum status open_rows(struct recorder *recorder, struct error *error)
{
    struct shared *shared = recorder->shared;
    shared->places = memory_new(shared->columns, sizeof *shared->places);
    if (!shared->places)
        return error_memory(error);
    for (size_t i = 0; i < shared->columns && !recorder->follows; i++)
        if (shared->items[i])
            shared->places[i] = shared->items[i]->offset;
    ranks_tell(shared->ranks, shared->places,
               shared->columns * sizeof *shared->places);
    if (shared->collective)
        return STATUS_OK;
    shared->fd = open(recorder->path, O_WRONLY | O_CLOEXEC);
    return shared->fd < 0
               ? error_system(error, STATUS_DISK, "%s: cannot be written",
                              recorder->path)
               : STATUS_OK;
}

static enum status open_items(struct recorder *recorder, struct error *error)
{
    struct shared *shared = recorder->shared;
    size_t waves = (size_t)recorder->shape.waves;
    shared->columns = waves * (size_t)(1 + recorder->grid.dims);
    shared->items = memory_new(shared->columns + waves, sizeof *shared->items);
    if (!shared->items)
        return error_memory(error);
    for (size_t i = 0; i < shared->columns; i++)
        shared->items[i] = recorder->waves[i].data.item;
    for (size_t i = 0; i < waves; i++)
        shared->items[shared->columns + i] = recorder->arrival_fields[i];
    enum status status = open_rows(recorder, error);
    return status ? status
                  : shared_file_open(recorder->path, shared->ranks,
                                     shared->items, shared->columns + waves,
                                     &shared->file, error);
}

/* The others go on where the first does, in the file that it has laid out. */
static void tell_progress(struct recorder *recorder)
{
    struct shared *shared = recorder->shared;
    struct progress {
        int64_t next_row, committed, sequence;
        size_t versions_written;
        uint64_t slots[SLOTS];
    } progress = { recorder->next_row,
                   recorder->committed,
                   recorder->sequence,
                   recorder->versions_written,
                   { 0 } };
    for (int i = 0; i < SLOTS && !recorder->follows; i++)
        if (recorder->slots[i])
            progress.slots[i] = recorder->slots[i]->offset;
    ranks_tell(shared->ranks, &progress, sizeof progress);
    recorder->next_row = progress.next_row;
    recorder->committed = progress.committed;
    recorder->sequence = progress.sequence;
    recorder->versions_written = progress.versions_written;
    memcpy(shared->slots, progress.slots, sizeof shared->slots);
}

enum status recorder_share(struct recorder *recorder, struct ranks *ranks,
                           const struct box *own, bool collective,
                           struct error *error)
{
    struct shared *shared = memory_new(1, sizeof *shared);
    if (!shared)
        return error_memory(error);
    recorder->shared = shared;
    shared->ranks = ranks;
    shared->fd = -1;
    shared->collective = collective;
    enum status status =
        collective ? STATUS_OK : ranks_beside(ranks, &shared->commits, error);
    if (status)
        return status;
    tell_progress(recorder);
    place_block(shared, own, &recorder->region);
    if (shared->block.any)
        make_gaps(shared, &recorder->region,
                  element_bytes(recorder->shape.real));
    else
        crc32c_gap_make(&shared->whole,
                        box_cells(&recorder->region) *
                            element_bytes(recorder->shape.real));
    return open_items(recorder, error);
}

enum status recorder_follow(const char *path, const struct recording_plan *plan,
                            struct recorder **made, struct error *error)
{
    struct recorder *recorder;
    enum status status = recorder_start(path, plan, &recorder, error);
    if (status)
        return status;
    recorder->follows = true;
    status = layout_expand(&recorder->shape, &recorder->layout, error);
    if (!status)
        status = recorder_bind(recorder, error);
    if (status)
        recorder_abandon(recorder);
    else
        *made = recorder;
    return status;
}

void shared_release(struct shared *shared)
{
    if (!shared)
        return;
    shared_file_close(shared->file);
    if (shared->fd >= 0)
        close(shared->fd);
    ranks_end(shared->commits);
    memory_release(shared->items);
    memory_release(shared->places);
    memory_release(shared->parts);
    memory_release(shared->numbers);
    memory_release(shared);
}

bool shared_overlaps(const struct recorder *recorder)
{
    return recorder->shared->commits != NULL;
}

enum status shared_arrival_field(struct recorder *recorder, int wave,
                                 const int32_t *arrival, struct error *error)
{
    struct shared *shared = recorder->shared;
    struct shared_block block = shared->block;
    block.values = arrival;
    return shared_file_write(shared->file, shared->columns + (size_t)wave, -1,
                             &block, error);
}

enum status shared_settle(struct recorder *recorder, struct error *error)
{
    struct shared *shared = recorder->shared;
    if (!shared)
        return STATUS_OK;
    enum status status = shared_file_sync(shared->file, error);
    if (shared->commits)
        ranks_meet_asleep(shared->commits);
    else
        ranks_meet(shared->ranks);
    return status;
}

void shared_meet(struct recorder *recorder)
{
    if (recorder->shared)
        ranks_meet(recorder->shared->ranks);
}
