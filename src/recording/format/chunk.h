/* SPDX-License-Identifier: MIT */
/* Packed fields: how rows are divided into chunks, and how the bytes of a chunk
 * are shuffled into planes and deflated, as HDF5's own filters do it. A row is
 * one index of the first axis, for fields along time a frame. */
#ifndef HAMON_RECORDING_FORMAT_CHUNK_H
#define HAMON_RECORDING_FORMAT_CHUNK_H

#include "recording/format/layout.h"

#include <stdbool.h>

/* The rows and chunks of a packed field, always with the axes z, y and x. A
 * field without an axis of time or versions has one row. */
struct tiling {
    int64_t rows;
    size_t extent[GRID_AXES], tile[GRID_AXES], count[GRID_AXES]; /* z, y, x */
    /* chunks of a row */
    size_t tiles;
    size_t element; /* bytes */
    size_t bytes;   /* of a chunk before deflating */
};
struct tiling tiling_of(const struct layout_item *item);

/* The part of a row that a chunk contains: the corner of the chunk (z, y, x),
 * and its extents without what is outside the row. */
struct tile {
    size_t at[GRID_AXES], extent[GRID_AXES];
};
struct tile tile_at(const struct tiling *tiling, size_t index);

/* Copy between a chunk's planes and the row that it is a part of. tile_scatter
 * copies the elements first … last − 1 of the row; `row` begins with element
 * `first`. A chunk contains 0 beyond the edges of the row. */
void tile_gather(const struct tiling *tiling, const struct tile *tile,
                 const void *row, unsigned char *planes);
void tile_scatter(const struct tiling *tiling, const struct tile *tile,
                  const unsigned char *planes, size_t first, size_t last,
                  void *part);

/* Does the chunk contain any of these elements? Are all of its elements of the
 * row 0? */
bool tile_meets(const struct tiling *tiling, const struct tile *tile,
                size_t first, size_t last);
bool tile_is_zero(const struct tiling *tiling, const struct tile *tile,
                  const void *row);

#endif
