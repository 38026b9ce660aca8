/* SPDX-License-Identifier: MIT */
/* The state of ranks that share a run, into its slot of /restart: of the fields
 * each writes its block, the first all else; one checksum over all of it. */
#include "recording/recorder_parts.h"

#include "base/crc32c.h"
#include "recording/disk.h"
#include "recording/shared_file.h"
#include "recording/shared_parts.h"

#include <stddef.h>

enum { KEPT = 2 }; /* gaps: between the rows of a block, and its layers */

/* A rank's part of the checksum of what lies before byte `at`. */
struct walk {
    uint32_t part;
    uint64_t at;
    struct crc32c_gap gap[KEPT];
    uint64_t gap_bytes[KEPT];
    int oldest;
};

/* The bytes up to `to` are others'. */
static void pass_over(struct walk *walk, uint64_t to)
{
    uint64_t bytes = to - walk->at;
    walk->at = to;
    if (!bytes || !walk->part)
        return;
    for (int i = 0; i < KEPT; i++)
        if (walk->gap_bytes[i] == bytes) {
            walk->part = crc32c_gap(&walk->gap[i], walk->part);
            return;
        }
    int made = walk->oldest;
    crc32c_gap_make(&walk->gap[made], bytes);
    walk->gap_bytes[made] = bytes;
    walk->oldest = (made + 1) % KEPT;
    walk->part = crc32c_gap(&walk->gap[made], walk->part);
}

static void take(struct walk *walk, uint64_t at, const void *data, size_t bytes)
{
    pass_over(walk, at);
    walk->part = crc32c_piece(walk->part, data, bytes);
    walk->at += bytes;
}

/* The own block of a field that begins at byte `at`. */
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

/* The checksum covers the header behind itself, and the state. */
static uint32_t part_of(const struct recorder *recorder, int64_t rows,
                        const struct state_shared *state, uint64_t whole)
{
    const size_t from = offsetof(struct slot_header, sequence);
    const uint64_t front = sizeof(struct slot_header) - from;
    struct walk walk = { .part = 0 };
    if (!recorder->follows) {
        struct slot_header header = slot_header_of(recorder, rows);
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
    uint32_t part = part_of(recorder, rows, state, whole);
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
    struct slot_header header = slot_header_of(recorder, rows);
    header.crc = recorder->shared->slot_crc;
    bool good = disk_write(recorder->fd, &header, sizeof header, item->offset);
    for (size_t i = 0; i < state->count && good; i++) {
        const struct state_piece *piece = &state->pieces[i];
        if (piece->bytes)
            good = disk_write(recorder->fd, piece->data, piece->bytes,
                              item->offset + sizeof header + piece->at);
    }
    return good ? STATUS_OK
                : write_error(recorder, item->variable.name, 0, error);
}

enum status shared_state(struct recorder *recorder, int64_t rows,
                         const struct state_shared *state, struct error *error)
{
    enum status status = write_fields(recorder, rows, state, error);
    return status || recorder->follows
               ? status
               : write_rest(recorder, rows, state, error);
}
