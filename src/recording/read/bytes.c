/* SPDX-License-Identifier: MIT */
/* Bytes are read at their position in the file or, in packed recordings, from
 * chunks that are read and inflated here, without HDF5: their positions are in
 * the recording's own list, and one is accepted if it is inside the file. */
#include "recording/read/file.h"

#include "base/deflate_planes.h"
#include "base/disk.h"
#include "base/memory.h"
#include "recording/format/chunk.h"

#include <libdeflate.h>
#include <string.h>

struct unpacking {
    const struct recording *recording;
    const struct layout_item *item, *list;
    struct tiling tiling;
    struct libdeflate_decompressor *inflater;
    unsigned char *stored, *planes;
    size_t room;                /* bytes for a stored chunk */
    struct chunk_place *places; /* of the chunks of a row */
};

static void unpacking_release(struct unpacking *unpacking)
{
    if (unpacking->inflater)
        libdeflate_free_decompressor(unpacking->inflater);
    memory_release(unpacking->stored);
    memory_release(unpacking->planes);
    memory_release(unpacking->places);
}

static enum status unpacking_start(struct unpacking *unpacking,
                                   struct error *error)
{
    struct tiling *tiling = &unpacking->tiling;
    *tiling = tiling_of(unpacking->item);
    unpacking->list =
        layout_places(&unpacking->recording->layout, unpacking->item);
    unpacking->room = deflate_planes_room(tiling->bytes);
    unpacking->inflater = libdeflate_alloc_decompressor();
    unpacking->stored = memory_new(unpacking->room, 1);
    unpacking->planes = memory_new(tiling->bytes, 1);
    unpacking->places = memory_new(tiling->tiles, sizeof *unpacking->places);
    if (unpacking->inflater && unpacking->stored && unpacking->planes &&
        unpacking->places)
        return STATUS_OK;
    unpacking_release(unpacking);
    return error_memory(error);
}

static enum status bad_chunk(const struct unpacking *unpacking, size_t row,
                             struct error *error)
{
    return error_at(error, STATUS_INPUT, unpacking->recording->path, 0,
                    "%s: row %zu is damaged: a chunk of it cannot be inflated",
                    unpacking->item->variable.name, row);
}

/* Is it inside the file, and of a size that deflate can have made of a
 * chunk? */
static bool is_inside(const struct unpacking *unpacking,
                      struct chunk_place place)
{
    uint64_t file = unpacking->recording->bytes;
    size_t bytes = unpacking->tiling.bytes;
    return place.address > 0 && place.bytes > 0 &&
           (uint64_t)place.address <= file &&
           (uint64_t)place.bytes <= file - (uint64_t)place.address &&
           (uint64_t)place.bytes <= unpacking->room &&
           bytes / LAYOUT_DEFLATE_MOST <= (uint64_t)place.bytes;
}

/* Reads the planes of a chunk; those of a chunk that was never written are
 * 0. */
static enum status unpacking_inflate(struct unpacking *unpacking, size_t row,
                                     struct chunk_place place,
                                     struct error *error)
{
    size_t bytes = unpacking->tiling.bytes;
    if (place.address == 0 && place.bytes == 0) {
        memset(unpacking->planes, 0, bytes);
        return STATUS_OK;
    }
    if (!is_inside(unpacking, place))
        return bad_chunk(unpacking, row, error);
    if (!disk_read(unpacking->recording->fd, unpacking->stored,
                   (size_t)place.bytes, (uint64_t)place.address))
        return error_system(error, STATUS_DISK, "%s: %s cannot be read",
                            unpacking->recording->path,
                            unpacking->item->variable.name);
    /* The result must have exactly the size of a chunk. */
    return libdeflate_zlib_decompress(unpacking->inflater, unpacking->stored,
                                      (size_t)place.bytes, unpacking->planes,
                                      bytes, NULL) == LIBDEFLATE_SUCCESS
               ? STATUS_OK
               : bad_chunk(unpacking, row, error);
}

/* Reads elements first … last − 1 of a row. */
static enum status unpacking_read(struct unpacking *unpacking, size_t row,
                                  size_t first, size_t last, void *out,
                                  struct error *error)
{
    const struct tiling *tiling = &unpacking->tiling;
    size_t bytes = tiling->tiles * sizeof *unpacking->places;
    enum status status =
        recording_read_bytes(unpacking->recording, unpacking->list, row * bytes,
                             bytes, unpacking->places, error);
    for (size_t i = 0; i < tiling->tiles && !status; i++) {
        struct tile tile = tile_at(tiling, i);
        if (!tile_meets(tiling, &tile, first, last))
            continue;
        status = unpacking_inflate(unpacking, row, unpacking->places[i], error);
        if (!status)
            tile_scatter(tiling, &tile, unpacking->planes, first, last, out);
    }
    return status;
}

static enum status read_packed(const struct recording *recording,
                               const struct layout_item *item, uint64_t at,
                               size_t bytes, void *out, struct error *error)
{
    struct unpacking unpacking = { .recording = recording, .item = item };
    enum status status = unpacking_start(&unpacking, error);
    if (status)
        return status;
    size_t element = unpacking.tiling.element;
    size_t row_elements =
        (size_t)(item->bytes / (uint64_t)unpacking.tiling.rows) / element;
    size_t from = (size_t)at / element, left = bytes / element;
    while (left > 0 && !status) {
        size_t first = from % row_elements;
        size_t now = left < row_elements - first ? left : row_elements - first;
        status = unpacking_read(&unpacking, from / row_elements, first,
                                first + now, out, error);
        out = (char *)out + now * element;
        from += now;
        left -= now;
    }
    unpacking_release(&unpacking);
    return status;
}

enum status recording_read_bytes(const struct recording *recording,
                                 const struct layout_item *item, uint64_t at,
                                 size_t bytes, void *out, struct error *error)
{
    if (item->chunk[0])
        return read_packed(recording, item, at, bytes, out, error);
    if (!disk_read(recording->fd, out, bytes, item->offset + at))
        return error_system(error, STATUS_DISK, "%s: %s cannot be read",
                            recording->path, item->variable.name);
    return STATUS_OK;
}
