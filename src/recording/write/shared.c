/* SPDX-License-Identifier: MIT */
/* One recording written by ranks that share a run: the first rank has created
 * it and writes everything small, as one process does. Each rank writes its own
 * block of the fields, of the checksums, which a commit combines, and of the
 * state. */
#include "recording/write/file.h"

#include "base/crc32c.h"
#include "base/disk.h"
#include "base/memory.h"
#include "recording/write/shared_file.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

struct shared {
    struct ranks *ranks;
    /* communication of the threads that make commits; NULL: none */
    struct ranks *commits;
    struct shared_file *file;
    struct shared_block block; /* this rank's part of the region */
    int fd;                    /* for rows that each rank writes by itself */
    /* rows are written by all together; fd is not used */
    bool collective;
    /* The items: the waves' columns, then the arrival fields; and the positions
     * of the columns in the file. */
    const struct layout_item **items;
    uint64_t *places; /* (columns) */
    size_t columns;
    /* (rows, columns): parts of the rows' checksums, until a commit combines
     * them. */
    uint32_t *parts;
    int64_t *numbers; /* (rows): the numbers of these rows */
    size_t rows, room;
    /* The other ranks' bytes between the rows of the block, between its layers
     * and after it; and all bytes of the region. */
    struct crc32c_gap row, layer, behind, whole;
    uint64_t slots[SLOTS]; /* their positions in the file */
    /* in the first rank: checksum of the state being written */
    uint32_t slot_crc;
};

/* The gaps between this rank's bytes of a region. */
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

/* Opens the file that the first rank has created. */
static enum status open_rows(struct recorder *recorder, struct error *error)
{
    struct shared *shared = recorder->shared;
    shared->places = memory_new(shared->columns, sizeof *shared->places);
    if (!shared->places)
        return error_memory(error);
    for (size_t i = 0; i < shared->columns && !recorder->follows; i++)
        if (shared->items[i])
            shared->places[i] = shared->items[i]->offset;
    ranks_broadcast(shared->ranks, shared->places,
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

/* The other ranks get the position from which the first rank continues. */
static void share_progress(struct recorder *recorder)
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
    ranks_broadcast(shared->ranks, &progress, sizeof progress);
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
    share_progress(recorder);
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

/* ---- rows ---- */

/* This rank's part of the checksum of a row. `field` begins with the block's
 * first cell. */
static uint32_t row_part(const struct shared *shared, size_t item,
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

/* Memory for this rank's part of a row's checksums; NULL if there is none. */
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

/* Writes the block's cells of a row at their position: by layers if its lines
 * are complete, else line by line. */
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
                return recorder_write_error(
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
    if (recorder->keyframes) /* only amplitudes are stored then */
        layout_keyframe_at(row, recorder->keyframes, &row);
    for (size_t i = 0; i < shared->columns && !status; i++) {
        size_t wave = i / of_wave, part = i % of_wave;
        if (!shared->items[i])
            continue;
        struct shared_block block = shared->block;
        block.values =
            part ? fields->gradient[part - 1][wave] : fields->amplitude[wave];
        struct recording_lying field = packed(shared, block.values);
        parts[i] = row_part(shared, item, &field);
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
        parts[i] = row_part(shared, item, &field);
    }
    return STATUS_OK;
}

/* Combines all ranks' parts of a row's checksums. */
static enum status keep_checksums(struct recorder *recorder, int64_t row,
                                  const uint32_t *parts, struct error *error)
{
    struct shared *shared = recorder->shared;
    enum status status = STATUS_OK;
    if (recorder->keyframes)
        status = recorder_skip_waves(recorder, row, error);
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

enum status shared_arrival_field(struct recorder *recorder, int wave,
                                 const int32_t *arrival, struct error *error)
{
    struct shared *shared = recorder->shared;
    struct shared_block block = shared->block;
    block.values = arrival;
    return shared_file_write(shared->file, shared->columns + (size_t)wave, -1,
                             &block, error);
}

/* ---- the state ---- */

/* This rank's part of the checksum of the bytes before `at`. */
/* The gaps that are stored are those between the rows and between the layers of
 * a block. */
enum { WALK_GAPS = 2 };
struct walk {
    uint32_t part;
    uint64_t at;
    struct crc32c_gap gap[WALK_GAPS];
    uint64_t gap_bytes[WALK_GAPS];
    int oldest;
};

/* Skips the bytes up to `to`, which belong to other ranks. */
static void pass_over(struct walk *walk, uint64_t to)
{
    uint64_t bytes = to - walk->at;
    walk->at = to;
    if (!bytes || !walk->part)
        return;
    for (int i = 0; i < WALK_GAPS; i++)
        if (walk->gap_bytes[i] == bytes) {
            walk->part = crc32c_gap(&walk->gap[i], walk->part);
            return;
        }
    int made = walk->oldest;
    crc32c_gap_make(&walk->gap[made], bytes);
    walk->gap_bytes[made] = bytes;
    walk->oldest = (made + 1) % WALK_GAPS;
    walk->part = crc32c_gap(&walk->gap[made], walk->part);
}

static void take(struct walk *walk, uint64_t at, const void *data, size_t bytes)
{
    pass_over(walk, at);
    walk->part = crc32c_piece(walk->part, data, bytes);
    walk->at += bytes;
}

/* Adds the own block of a field that begins at byte `at`. */
static void take_field(struct walk *walk, uint64_t at,
                       const struct share *share,
                       const struct state_field *field)
{
    const struct box *own = &share->own;
    const int *low = field->box.low;
    size_t bytes = (size_t)(own->high[0] - own->low[0] + 1) * field->item;
    for (int z = own->low[2]; z <= own->high[2]; z++)
        for (int y = own->low[1]; y <= own->high[1]; y++) {
            ptrdiff_t cell = (z - low[2]) * field->layer +
                             (y - low[1]) * field->row + (own->low[0] - low[0]);
            take(walk,
                 at +
                     grid_index(&share->world, own->low[0], y, z) * field->item,
                 (const char *)field->cells + cell * (ptrdiff_t)field->item,
                 bytes);
        }
}

/* The checksum covers the header after the checksum itself, and the state. */
static uint32_t state_part(const struct recorder *recorder, int64_t rows,
                           const struct state_shared *state, uint64_t whole)
{
    const size_t from = offsetof(struct slot_header, sequence);
    const uint64_t front = sizeof(struct slot_header) - from;
    struct walk walk = { .part = 0 };
    if (!recorder->follows) {
        struct slot_header header = slot_header_make(recorder, rows);
        take(&walk, 0, (const char *)&header + from, front);
    }
    for (size_t i = 0; i < state->count; i++) {
        const struct state_piece *piece = &state->pieces[i];
        if (piece->bytes)
            take(&walk, front + piece->at, piece->data, piece->bytes);
        else
            take_field(&walk, front + piece->at, &state->share, &piece->field);
    }
    pass_over(&walk, whole);
    return walk.part;
}

static enum status write_fields(struct recorder *recorder, int64_t rows,
                                const struct state_shared *state,
                                struct error *error)
{
    struct shared *shared = recorder->shared;
    const uint64_t whole = sizeof(struct slot_header) -
                           offsetof(struct slot_header, sequence) +
                           recorder->restart_bytes;
    uint64_t slot = shared->slots[(recorder->sequence + 1) % SLOTS];
    uint32_t part = state_part(recorder, rows, state, whole);
    struct crc32c_gap gap;
    ranks_xor(shared->ranks, &part, 1);
    crc32c_gap_make(&gap, whole);
    shared->slot_crc = crc32c_join(&gap, part);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < state->count && !status; i++) {
        const struct state_piece *piece = &state->pieces[i];
        if (!piece->bytes)
            status = shared_file_write_field(
                shared->file, slot + sizeof(struct slot_header) + piece->at,
                &state->share, &piece->field, error);
    }
    return status;
}

static enum status write_rest(struct recorder *recorder, int64_t rows,
                              const struct state_shared *state,
                              struct error *error)
{
    const struct layout_item *item =
        recorder->slots[(recorder->sequence + 1) % SLOTS];
    struct slot_header header = slot_header_make(recorder, rows);
    header.crc = recorder->shared->slot_crc;
    bool good = disk_write(recorder->fd, &header, sizeof header, item->offset);
    for (size_t i = 0; i < state->count && good; i++) {
        const struct state_piece *piece = &state->pieces[i];
        if (piece->bytes)
            good = disk_write(recorder->fd, piece->data, piece->bytes,
                              item->offset + sizeof header + piece->at);
    }
    return good ? STATUS_OK
                : recorder_write_error(recorder, item->variable.name, 0, error);
}

enum status shared_state(struct recorder *recorder, int64_t rows,
                         const struct state_shared *state, struct error *error)
{
    enum status status = write_fields(recorder, rows, state, error);
    return status || recorder->follows
               ? status
               : write_rest(recorder, rows, state, error);
}

/* ---- commits ---- */

enum status shared_settle(struct recorder *recorder, struct error *error)
{
    struct shared *shared = recorder->shared;
    if (!shared)
        return STATUS_OK;
    enum status status = shared_file_sync(shared->file, error);
    if (shared->commits)
        ranks_barrier_asleep(shared->commits);
    else
        ranks_barrier(shared->ranks);
    return status;
}

void shared_meet(struct recorder *recorder)
{
    if (recorder->shared)
        ranks_barrier(recorder->shared->ranks);
}

bool shared_overlaps(const struct recorder *recorder)
{
    return recorder->shared->commits != NULL;
}
