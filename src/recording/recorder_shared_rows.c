/* SPDX-License-Identifier: MIT */
/* Rows of the fields by ranks that share a run: each its own block, by itself
 * or all at once, and its part of the checksums, which a commit joins. */
#include "recording/shared_parts.h"

#include "base/memory.h"
#include "recording/disk.h"

/* This rank's part of the checksum of a row. The field begins with the block's
 * first cell. */
static uint32_t part_of(const struct shared *shared, size_t item,
                        const struct recording_lying *field)
{
    const struct box *block = &shared->block.block, *box = &shared->block.box;
    size_t bytes = box_width(box, 0) * item;
    uint32_t part = 0;
    if (!shared->block.any)
        return 0;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            ptrdiff_t cell = (z - block->low[2]) * field->layer +
                             (y - block->low[1]) * field->row + box->low[0] -
                             block->low[0];
            if (y > box->low[1])
                part = crc32c_gap(&shared->row, part);
            else if (z > box->low[2])
                part = crc32c_gap(&shared->layer, part);
            part = crc32c_piece(
                part, (const char *)field->values + cell * (ptrdiff_t)item,
                bytes);
        }
    return crc32c_gap(&shared->behind, part);
}

static struct recording_lying packed(const struct shared *shared,
                                     const void *values)
{
    const struct box *block = &shared->block.block;
    return (struct recording_lying){
        .values = values,
        .row = (ptrdiff_t)box_width(block, 0),
        .layer = (ptrdiff_t)(box_width(block, 0) * box_width(block, 1)),
    };
}

/* Room for this rank's part of a row's checksums; NULL without memory. */
static uint32_t *next_parts(struct shared *shared, int64_t row)
{
    enum { ROWS = 64 };
    if (shared->rows == shared->room) {
        size_t room = 2 * shared->room + ROWS;
        size_t bytes = shared->columns * sizeof *shared->parts;
        uint32_t *parts = memory_grow(shared->parts, shared->rows, room, bytes);
        if (!parts)
            return NULL;
        shared->parts = parts;
        int64_t *numbers = memory_grow(shared->numbers, shared->rows, room,
                                       sizeof *shared->numbers);
        if (!numbers)
            return NULL;
        shared->numbers = numbers;
        shared->room = room;
    }
    shared->numbers[shared->rows] = row;
    return shared->parts + shared->rows++ * shared->columns;
}

/* The block's cells of a row where they belong: by layers where its lines are
 * whole, else line by line. */
static enum status write_own(const struct recorder *recorder, size_t column,
                             int64_t row, const void *values, size_t item,
                             struct error *error)
{
    const struct shared *shared = recorder->shared;
    const struct box *region = &recorder->region, *box = &shared->block.box,
                     *block = &shared->block.block;
    const int *at = shared->block.at;
    uint64_t line = box_width(region, 0) * item,
             layer = line * box_width(region, 1),
             whole = layer * box_width(region, 2);
    uint64_t place =
        shared->places[column] + (uint64_t)row * whole + (uint64_t)at[0] * item;
    bool lines = box_width(box, 0) == box_width(region, 0) &&
                 box_width(block, 0) == box_width(region, 0);
    size_t at_once = lines ? box_width(box, 1) : 1;
    for (size_t z = 0; z < box_width(box, 2); z++)
        for (size_t y = 0; y < box_width(box, 1); y += at_once) {
            size_t cell = ((z + (size_t)(box->low[2] - block->low[2])) *
                               box_width(block, 1) +
                           y + (size_t)(box->low[1] - block->low[1])) *
                              box_width(block, 0) +
                          (size_t)(box->low[0] - block->low[0]);
            if (!disk_write(shared->fd, (const char *)values + cell * item,
                            at_once * box_width(box, 0) * item,
                            place + ((size_t)at[2] + z) * layer +
                                ((size_t)at[1] + y) * line))
                return write_error(
                    recorder, shared->items[column]->variable.name, row, error);
        }
    return STATUS_OK;
}

enum status shared_waves(struct recorder *recorder, int64_t row,
                         const struct recording_fields *fields,
                         struct error *error)
{
    struct shared *shared = recorder->shared;
    size_t of_wave = (size_t)(1 + recorder->grid.dims);
    size_t item = element_bytes(recorder->shape.real);
    uint32_t *parts = next_parts(shared, row);
    enum status status = parts ? STATUS_OK : error_memory(error);
    if (recorder->keyframes) /* of amplitudes, and there are no others then */
        keyframe_at(row, recorder->keyframes, &row);
    for (size_t i = 0; i < shared->columns && !status; i++) {
        size_t wave = i / of_wave, part = i % of_wave;
        if (!shared->items[i])
            continue;
        struct shared_block block = shared->block;
        block.values =
            part ? fields->gradient[part - 1][wave] : fields->amplitude[wave];
        struct recording_lying field = packed(shared, block.values);
        parts[i] = part_of(shared, item, &field);
        if (shared->collective)
            status = shared_file_write(shared->file, i, row, &block, error);
        else if (block.any)
            status = write_own(recorder, i, row, block.values, item, error);
        recorder->unsent += block.any ? box_cells(&block.box) * item : 0;
    }
    return status;
}

enum status shared_sums(struct recorder *recorder, int64_t row,
                        const struct recording_fields *fields,
                        struct error *error)
{
    struct shared *shared = recorder->shared;
    size_t of_wave = (size_t)(1 + recorder->grid.dims);
    size_t item = element_bytes(recorder->shape.real);
    uint32_t *parts = next_parts(shared, row);
    if (!parts)
        return error_memory(error);
    for (size_t i = 0; i < shared->columns; i += of_wave) {
        struct recording_lying field =
            fields->lying ? fields->lying[i / of_wave]
                          : packed(shared, fields->amplitude[i / of_wave]);
        parts[i] = part_of(shared, item, &field);
    }
    return STATUS_OK;
}

/* Of a row, all ranks' parts in one. */
static enum status keep_checksums(struct recorder *recorder, int64_t row,
                                  const uint32_t *parts, struct error *error)
{
    struct shared *shared = recorder->shared;
    enum status status = STATUS_OK;
    if (recorder->keyframes)
        status = skip_waves(recorder, row, error);
    for (size_t i = 0; i < shared->columns && !status; i++) {
        uint32_t crc = crc32c_join(&shared->whole, parts[i]);
        if (shared->items[i])
            status = column_append(recorder, &recorder->waves[i].crc, &crc,
                                   sizeof crc, error);
    }
    return status;
}

enum status shared_checksums(struct recorder *recorder, struct error *error)
{
    struct shared *shared = recorder->shared;
    enum status status = STATUS_OK;
    if (!shared)
        return STATUS_OK;
    ranks_xor(shared->ranks, shared->parts, shared->rows * shared->columns);
    for (size_t i = 0; i < shared->rows && !status && !recorder->follows; i++)
        status = keep_checksums(recorder, shared->numbers[i],
                                shared->parts + i * shared->columns, error);
    shared->rows = 0;
    return status;
}
