/* SPDX-License-Identifier: MIT */
/* One recording written by ranks that share a run: the first has laid it out
 * and writes all that is small, as alone; the fields come from all. */
#include "recording/shared_parts.h"

#include "base/memory.h"

#include <string.h>

static size_t width(const struct box *box, int axis)
{
    return (size_t)(box->high[axis] - box->low[axis] + 1);
}

/* Where this rank's bytes of a region lie. */
static void make_gaps(struct shared *shared, const struct box *region,
                      size_t item)
{
    const struct box *box = &shared->block.box;
    const int *at = shared->block.at;
    uint64_t line = width(region, 0) * item;
    uint64_t layer = line * width(region, 1);
    uint64_t row_gap = line - width(box, 0) * item;
    uint64_t layer_gap = layer - width(box, 1) * line + row_gap;
    size_t last_y = (size_t)at[1] + width(box, 1) - 1;
    size_t last_z = (size_t)at[2] + width(box, 2) - 1;
    uint64_t end =
        last_z * layer + last_y * line + ((size_t)at[0] + width(box, 0)) * item;
    uint64_t whole = layer * width(region, 2);
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

/* This rank's part of the checksum of a row. */
static uint32_t part_of(const struct shared *shared, size_t item,
                        const void *values)
{
    const struct box *block = &shared->block.block, *box = &shared->block.box;
    size_t bytes = width(box, 0) * item;
    uint32_t part = 0;
    if (!shared->block.any)
        return 0;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            size_t row = (size_t)(z - block->low[2]) * width(block, 1) +
                         (size_t)(y - block->low[1]);
            size_t cell =
                row * width(block, 0) + (size_t)(box->low[0] - block->low[0]);
            if (y > box->low[1])
                part = crc32c_gap(&shared->row, part);
            else if (z > box->low[2])
                part = crc32c_gap(&shared->layer, part);
            part =
                crc32c_piece(part, (const char *)values + cell * item, bytes);
        }
    return crc32c_gap(&shared->behind, part);
}

static enum status open_items(struct recorder *recorder, struct error *error)
{
    struct shared *shared = recorder->shared;
    size_t waves = (size_t)recorder->shape.waves;
    shared->columns = waves * (size_t)(1 + recorder->grid.dims);
    shared->items = memory_new(shared->columns + waves, sizeof *shared->items);
    shared->parts = memory_new(shared->columns, sizeof *shared->parts);
    if (!shared->items || !shared->parts)
        return error_memory(error);
    for (size_t i = 0; i < shared->columns; i++)
        shared->items[i] = recorder->waves[i].data.item;
    for (size_t i = 0; i < waves; i++)
        shared->items[shared->columns + i] = recorder->arrival_fields[i];
    return shared_file_open(recorder->path, shared->ranks, shared->items,
                            shared->columns + waves, &shared->file, error);
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
                           const struct box *own, struct error *error)
{
    recorder->shared = memory_new(1, sizeof *recorder->shared);
    if (!recorder->shared)
        return error_memory(error);
    recorder->shared->ranks = ranks;
    tell_progress(recorder);
    place_block(recorder->shared, own, &recorder->region);
    if (recorder->shared->block.any)
        make_gaps(recorder->shared, &recorder->region,
                  element_bytes(recorder->shape.real));
    else
        crc32c_gap_make(&recorder->shared->whole,
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
    memory_release(shared->items);
    memory_release(shared->parts);
    memory_release(shared);
}

/* The checksums come together in the first rank, which keeps them. */
static enum status keep_checksums(struct recorder *recorder,
                                  struct error *error)
{
    struct shared *shared = recorder->shared;
    enum status status = STATUS_OK;
    ranks_xor(shared->ranks, shared->parts, shared->columns);
    for (size_t i = 0; i < shared->columns && !status; i++) {
        uint32_t crc = crc32c_join(&shared->whole, shared->parts[i]);
        if (shared->items[i] && !recorder->follows)
            status = column_append(recorder, &recorder->waves[i].crc, &crc,
                                   sizeof crc, error);
    }
    return status;
}

enum status shared_waves(struct recorder *recorder, int64_t row,
                         const struct recording_fields *fields,
                         struct error *error)
{
    struct shared *shared = recorder->shared;
    size_t parts = (size_t)(1 + recorder->grid.dims);
    size_t item = element_bytes(recorder->shape.real);
    bool stored = recorder_keeps(recorder, row) == KEPT_WHOLE;
    enum status status = STATUS_OK;
    if (recorder->keyframes) {
        status = skip_waves(recorder, row, error);
        keyframe_at(row, recorder->keyframes, &row);
    }
    for (size_t i = 0; i < shared->columns && !status; i++) {
        size_t wave = i / parts, part = i % parts;
        if (!shared->items[i])
            continue;
        struct shared_block block = shared->block;
        block.values =
            part ? fields->gradient[part - 1][wave] : fields->amplitude[wave];
        shared->parts[i] = part_of(shared, item, block.values);
        if (stored)
            status = shared_file_write(shared->file, i, row, &block, error);
    }
    return status ? status : keep_checksums(recorder, error);
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
    if (!recorder->shared)
        return STATUS_OK;
    enum status status = shared_file_sync(recorder->shared->file, error);
    ranks_meet(recorder->shared->ranks);
    return status;
}
