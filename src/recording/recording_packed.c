/* SPDX-License-Identifier: MIT */
/* Fields of packed recordings: chunks read and inflated here, with no HDF5. The
 * recording's own list says where they are; it is believed as far as the file
 * reaches, and what comes out is held to the rows' checksums like all else. */
#include "base/deflate_planes.h"
#include "recording/pack_chunk.h"
#include "recording/recording_parts.h"

#include "base/memory.h"
#include "recording/disk.h"

#include <string.h>

struct unpacking {
    const struct recording *recording;
    const struct layout_item *item, *list;
    struct tiling tiling;
    struct pack_inflater *inflater;
    unsigned char *stored, *planes;
    size_t room;                /* of a chunk as it is stored */
    struct chunk_place *places; /* of a row */
};

static void release(struct unpacking *unpacking)
{
    pack_inflater_release(unpacking->inflater);
    memory_release(unpacking->stored);
    memory_release(unpacking->planes);
    memory_release(unpacking->places);
}

static enum status start(struct unpacking *unpacking, struct error *error)
{
    struct tiling *tiling = &unpacking->tiling;
    *tiling = layout_tiling(unpacking->item);
    unpacking->list =
        layout_places(&unpacking->recording->layout, unpacking->item);
    unpacking->room = deflate_planes_room(tiling->bytes);
    unpacking->inflater = pack_inflater_new();
    unpacking->stored = memory_new(unpacking->room, 1);
    unpacking->planes = memory_new(tiling->bytes, 1);
    unpacking->places = memory_new(tiling->tiles, sizeof *unpacking->places);
    if (unpacking->inflater && unpacking->stored && unpacking->planes &&
        unpacking->places)
        return STATUS_OK;
    release(unpacking);
    return error_memory(error);
}

static enum status bad_chunk(const struct unpacking *unpacking, size_t row,
                             struct error *error)
{
    return error_at(error, STATUS_INPUT, unpacking->recording->path, 0,
                    "%s: row %zu is damaged: a chunk of it cannot be inflated",
                    unpacking->item->variable.name, row);
}

/* Inside the file, and of a size that deflate can have made of a chunk. */
static bool is_good(const struct unpacking *unpacking, struct chunk_place place)
{
    uint64_t file = unpacking->recording->bytes;
    size_t bytes = unpacking->tiling.bytes;
    return place.address > 0 && place.bytes > 0 &&
           (uint64_t)place.address <= file &&
           (uint64_t)place.bytes <= file - (uint64_t)place.address &&
           (uint64_t)place.bytes <= unpacking->room &&
           bytes / LAYOUT_DEFLATE_MOST <= (uint64_t)place.bytes;
}

/* The chunk's planes; those of a chunk that is nowhere are 0. */
static enum status inflate(struct unpacking *unpacking, size_t row,
                           struct chunk_place place, struct error *error)
{
    size_t bytes = unpacking->tiling.bytes;
    if (place.address == 0 && place.bytes == 0) {
        memset(unpacking->planes, 0, bytes);
        return STATUS_OK;
    }
    if (!is_good(unpacking, place))
        return bad_chunk(unpacking, row, error);
    if (!disk_read(unpacking->recording->fd, unpacking->stored,
                   (size_t)place.bytes, (uint64_t)place.address))
        return error_system(error, STATUS_DISK, "%s: %s cannot be read",
                            unpacking->recording->path,
                            unpacking->item->variable.name);
    return pack_inflate(unpacking->inflater, unpacking->stored,
                        (size_t)place.bytes, unpacking->planes, bytes)
               ? STATUS_OK
               : bad_chunk(unpacking, row, error);
}

/* Elements first … last − 1 of a row. */
static enum status read_part(struct unpacking *unpacking, size_t row,
                             size_t first, size_t last, void *out,
                             struct error *error)
{
    const struct tiling *tiling = &unpacking->tiling;
    size_t bytes = tiling->tiles * sizeof *unpacking->places;
    enum status status =
        read_bytes(unpacking->recording, unpacking->list, row * bytes, bytes,
                   unpacking->places, error);
    for (size_t i = 0; i < tiling->tiles && !status; i++) {
        struct tile tile = tile_at(tiling, i);
        if (!tile_meets(tiling, &tile, first, last))
            continue;
        status = inflate(unpacking, row, unpacking->places[i], error);
        if (!status)
            tile_scatter(tiling, &tile, unpacking->planes, first, last, out);
    }
    return status;
}

enum status read_packed(const struct recording *recording,
                        const struct layout_item *item, uint64_t at,
                        size_t bytes, void *out, struct error *error)
{
    struct unpacking unpacking = { .recording = recording, .item = item };
    enum status status = start(&unpacking, error);
    if (status)
        return status;
    size_t element = unpacking.tiling.element;
    size_t row_elements =
        (size_t)(item->bytes / (uint64_t)unpacking.tiling.rows) / element;
    size_t from = (size_t)at / element, left = bytes / element;
    while (left > 0 && !status) {
        size_t first = from % row_elements;
        size_t now = left < row_elements - first ? left : row_elements - first;
        status = read_part(&unpacking, from / row_elements, first, first + now,
                           out, error);
        out = (char *)out + now * element;
        from += now;
        left -= now;
    }
    release(&unpacking);
    return status;
}

enum status check_places(const struct recording *recording, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < recording->layout.count && !status; i++) {
        const struct layout_item *item = &recording->layout.items[i];
        if (!item->chunk[0])
            continue;
        const struct layout_item *list =
            layout_places(&recording->layout, item);
        uint64_t last = list->bytes - sizeof(struct chunk_place);
        struct chunk_place ends[2];
        status =
            read_bytes(recording, list, 0, sizeof ends[0], &ends[0], error);
        if (!status)
            status = read_bytes(recording, list, last, sizeof ends[1], &ends[1],
                                error);
        if (!status && memcmp(ends, item->ends, sizeof ends) != 0)
            status = damaged(recording, item->variable.name,
                             "its chunks are not where its list says: "
                             "rewritten by another program? Pack the "
                             "recording itself by hamon-pack",
                             error);
    }
    return status;
}
