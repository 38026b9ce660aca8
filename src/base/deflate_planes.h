/* SPDX-License-Identifier: MIT */
/* Deflate for planes of bytes (RFC 1950, 1951). Any zlib can inflate the
 * result, and it is written several times faster than by a compressor that
 * searches for matches.
 *
 * A field is shuffled into planes of bytes first. The planes of low mantissa
 * bits are noise, which is stored as it is. Those of the exponent repeat no
 * strings, but have few values and long runs: each block has its own Huffman
 * code, and the only matches are of a byte with the one before it. */
#ifndef HAMON_BASE_DEFLATE_PLANES_H
#define HAMON_BASE_DEFLATE_PLANES_H

#include <stddef.h>

/* An upper bound of the length of a stream for `bytes` bytes. */
size_t deflate_planes_room(size_t bytes);

/* Writes `count` bytes as a zlib stream into `out`, which has room for
 * deflate_planes_room(count) bytes, and returns its length. `plane` > 0 is the
 * number of bytes of one plane: there the statistics change. */
size_t deflate_planes(const unsigned char *bytes, size_t count, size_t plane,
                      unsigned char *out);

#endif
