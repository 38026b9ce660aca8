/* SPDX-License-Identifier: MIT */
#include "recording/format/chunk.h"

#include "base/clones.h"

#include <string.h>

struct tiling tiling_of(const struct layout_item *item)
{
    const struct variable *variable = &item->variable;
    bool rows = item->entry->role == ROLE_ROWS;
    struct tiling tiling = {
        .rows = rows ? variable->extent[0] : 1,
        .extent = { 1, 1, 1 },
        .tile = { 1, 1, 1 },
        .tiles = 1,
        .element = element_bytes(variable->type),
    };
    tiling.bytes = tiling.element;
    int space = variable->rank - rows;
    for (int i = 0; i < space; i++) {
        int axis = GRID_AXES - space + i;
        tiling.extent[axis] = (size_t)variable->extent[i + rows];
        tiling.tile[axis] = (size_t)item->chunk[i + rows];
    }
    for (int axis = 0; axis < GRID_AXES; axis++) {
        size_t tile = tiling.tile[axis];
        tiling.count[axis] = (tiling.extent[axis] + tile - 1) / tile;
        tiling.tiles *= tiling.count[axis];
        tiling.bytes *= tile;
    }
    return tiling;
}

struct tile tile_at(const struct tiling *tiling, size_t index)
{
    struct tile tile;
    for (int axis = GRID_AXES - 1; axis >= 0; axis--) {
        tile.at[axis] = index % tiling->count[axis] * tiling->tile[axis];
        index /= tiling->count[axis];
        size_t left = tiling->extent[axis] - tile.at[axis];
        tile.extent[axis] =
            left < tiling->tile[axis] ? left : tiling->tile[axis];
    }
    return tile;
}

/* The element of the row with which a line (z, y) of the tile begins. */
static size_t line_at(const struct tiling *tiling, const struct tile *tile,
                      size_t z, size_t y)
{
    return ((tile->at[0] + z) * tiling->extent[1] + tile->at[1] + y) *
               tiling->extent[2] +
           tile->at[2];
}

VECTOR_CLONES static void shuffle_words(const char *restrict from, size_t count,
                                        unsigned char *restrict p0,
                                        unsigned char *restrict p1,
                                        unsigned char *restrict p2,
                                        unsigned char *restrict p3)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, from + sizeof word * i, sizeof word);
        p0[i] = (unsigned char)word;
        p1[i] = (unsigned char)(word >> 8);
        p2[i] = (unsigned char)(word >> 16);
        p3[i] = (unsigned char)(word >> 24);
    }
}

/* Writes a line of elements of 1, 4 or 8 bytes into planes, which are `plane`
 * bytes apart. */
static void shuffle_line(const char *from, size_t element, size_t count,
                         unsigned char *planes, size_t plane)
{
    if (element == 1) {
        memcpy(planes, from, count);
        return;
    }
    if (element == 4) {
        shuffle_words(from, count, planes, planes + plane, planes + 2 * plane,
                      planes + 3 * plane);
        return;
    }
    for (size_t byte = 0; byte < element; byte++) {
        unsigned char *to = planes + byte * plane;
        for (size_t i = 0; i < count; i++)
            to[i] = (unsigned char)from[8 * i + byte];
    }
}

VECTOR_CLONES static void unshuffle_words(const unsigned char *restrict p0,
                                          const unsigned char *restrict p1,
                                          const unsigned char *restrict p2,
                                          const unsigned char *restrict p3,
                                          size_t count, char *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word = p0[i] | (uint32_t)p1[i] << 8 | (uint32_t)p2[i] << 16 |
                        (uint32_t)p3[i] << 24;
        memcpy(to + sizeof word * i, &word, sizeof word);
    }
}

static void unshuffle_line(const unsigned char *planes, size_t plane,
                           size_t element, size_t count, char *to)
{
    const unsigned char *p[8];
    for (size_t byte = 0; byte < 8; byte++)
        p[byte] = planes + (byte < element ? byte : 0) * plane;
    if (element == 1) {
        memcpy(to, planes, count);
    } else if (element == 4) {
        unshuffle_words(p[0], p[1], p[2], p[3], count, to);
    } else {
        for (size_t i = 0; i < count; i++) {
            uint64_t word = 0;
            for (int byte = 0; byte < 8; byte++)
                word |= (uint64_t)p[byte][i] << 8 * byte;
            memcpy(to + 8 * i, &word, sizeof word);
        }
    }
}

/* The position of the tile's line (z, y) in a plane, in elements. */
static size_t in_plane(const struct tiling *tiling, size_t z, size_t y)
{
    return (z * tiling->tile[1] + y) * tiling->tile[2];
}

void tile_gather(const struct tiling *tiling, const struct tile *tile,
                 const void *row, unsigned char *planes)
{
    size_t plane = tiling->bytes / tiling->element;
    if (memcmp(tile->extent, tiling->tile, sizeof tile->extent) != 0)
        memset(planes, 0, tiling->bytes);
    for (size_t z = 0; z < tile->extent[0]; z++)
        for (size_t y = 0; y < tile->extent[1]; y++)
            shuffle_line((const char *)row +
                             line_at(tiling, tile, z, y) * tiling->element,
                         tiling->element, tile->extent[2],
                         planes + in_plane(tiling, z, y), plane);
}

void tile_scatter(const struct tiling *tiling, const struct tile *tile,
                  const unsigned char *planes, size_t first, size_t last,
                  void *part)
{
    size_t plane = tiling->bytes / tiling->element;
    for (size_t z = 0; z < tile->extent[0]; z++)
        for (size_t y = 0; y < tile->extent[1]; y++) {
            size_t begin = line_at(tiling, tile, z, y);
            size_t end = begin + tile->extent[2];
            size_t from = begin > first ? begin : first;
            size_t to = end < last ? end : last;
            if (from < to)
                unshuffle_line(planes + in_plane(tiling, z, y) + (from - begin),
                               plane, tiling->element, to - from,
                               (char *)part + (from - first) * tiling->element);
        }
}

bool tile_meets(const struct tiling *tiling, const struct tile *tile,
                size_t first, size_t last)
{
    for (size_t z = 0; z < tile->extent[0]; z++)
        for (size_t y = 0; y < tile->extent[1]; y++) {
            size_t begin = line_at(tiling, tile, z, y);
            if (begin < last && begin + tile->extent[2] > first)
                return true;
        }
    return false;
}

bool tile_is_zero(const struct tiling *tiling, const struct tile *tile,
                  const void *row)
{
    size_t width = tile->extent[2] * tiling->element;
    for (size_t z = 0; z < tile->extent[0]; z++)
        for (size_t y = 0; y < tile->extent[1]; y++) {
            const char *line = (const char *)row +
                               line_at(tiling, tile, z, y) * tiling->element;
            if (line[0] != 0 || memcmp(line, line + 1, width - 1) != 0)
                return false;
        }
    return true;
}
