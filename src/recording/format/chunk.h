/* SPDX-License-Identifier: MIT */
/* Packed fields: how rows are cut into chunks, and a chunk's bytes, shuffled
 * into planes and deflated as HDF5's own filters do it. */
#ifndef HAMON_RECORDING_FORMAT_CHUNK_H
#define HAMON_RECORDING_FORMAT_CHUNK_H

#include "recording/format/layout.h"

#include <stdbool.h>

/* A packed field as its rows and chunks lie, always with z, y and x: what has
 * no rows of time or versions is one row. */
struct tiling {
    int64_t rows;
    size_t extent[GRID_AXES], tile[GRID_AXES], count[GRID_AXES]; /* z, y, x */
    size_t tiles;                                                /* of a row */
    size_t element;                                              /* bytes */
    size_t bytes; /* of a chunk, whole */
};
struct tiling tiling_of(const struct layout_item *item);

/* The part of a row that a chunk has: z, y, x of its corner and how far it
 * reaches in the row. */
struct tile {
    size_t at[GRID_AXES], extent[GRID_AXES];
};
struct tile tile_at(const struct tiling *tiling, size_t index);

/* Between a chunk's planes and the row that it is a part of. What is scattered
 * are the elements first … last − 1 of the row, into `row` that begins with
 * `first`. Behind the row's edges a chunk holds 0. */
void tile_gather(const struct tiling *tiling, const struct tile *tile,
                 const void *row, unsigned char *planes);
void tile_scatter(const struct tiling *tiling, const struct tile *tile,
                  const unsigned char *planes, size_t first, size_t last,
                  void *part);

/* Has the chunk any of these elements? Is all that it has of the row 0? */
bool tile_meets(const struct tiling *tiling, const struct tile *tile,
                size_t first, size_t last);
bool tile_is_zero(const struct tiling *tiling, const struct tile *tile,
                  const void *row);

#endif
