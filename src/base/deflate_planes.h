/* SPDX-License-Identifier: MIT */
/* Deflate made for planes of bytes (RFC 1950, 1951): what any zlib inflates,
 * written several times faster than a compressor that looks for matches.
 *
 * Of a field whose bytes are shuffled, the planes of low mantissa bits are
 * noise, which is stored as it is; those of the exponent repeat no strings,
 * but have few values and long runs: each block has its own Huffman code, and
 * the only matches are of a byte with the one before it. */
#ifndef HAMON_BASE_DEFLATE_PLANES_H
#define HAMON_BASE_DEFLATE_PLANES_H

#include <stddef.h>

/* Room that a stream of `bytes` bytes never passes. */
size_t deflate_planes_room(size_t bytes);

/* Writes `bytes` bytes as a zlib stream into `out` (deflate_planes_room) and
 * returns its length. `plane`: where the statistics change, the bytes of one
 * plane; 0 < plane. */
size_t deflate_planes(const unsigned char *bytes, size_t count, size_t plane,
                      unsigned char *out);

#endif
