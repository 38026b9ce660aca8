/* SPDX-License-Identifier: MIT */
/* One chunk of a packed field: bytes shuffled into planes, then deflated, as
 * HDF5's filters would have it. */
#ifndef HAMON_RECORDING_PACK_CHUNK_H
#define HAMON_RECORDING_PACK_CHUNK_H

#include "recording/layout.h"

#include <stdbool.h>

struct pack_inflater; /* of one thread */
struct pack_inflater *pack_inflater_new(void);
void pack_inflater_release(struct pack_inflater *inflater);

/* Inflates just `bytes` bytes into `planes`; false where the stream holds
 * fewer, more, or what is no stream. */
bool pack_inflate(struct pack_inflater *inflater, const void *stored,
                  size_t stored_bytes, unsigned char *planes, size_t bytes);

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
