/* SPDX-License-Identifier: MIT */
/* CRC-32C (Castagnoli, RFC 3720 B.4): a recording keeps one for every row. */
#ifndef HAMON_BASE_CRC32C_H
#define HAMON_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of `bytes` bytes appended to what `crc` already covers; start
 * with crc = 0. crc32c(0, "123456789", 9) is 0xe3069283. */
uint32_t crc32c(uint32_t crc, const void *data, size_t bytes);

/* Checksums of data whose pieces lie with several owners. The checksum is
 * linear but for its first and last step: each owner takes the others' bytes as
 * zeros, and exclusive or joins what they have,
 *
 *   part = 0; for each piece: part = crc32c_gap(zeros before it, part);
 *             part = crc32c_piece(part, piece); at the end: the zeros behind
 *   crc32c(0, whole) = crc32c_join(gap of the whole's bytes, part ^ part ^ …)
 */
struct crc32c_gap {
    uint32_t table[4][256]; /* what a byte of the register becomes */
};

/* A gap of this many bytes. */
void crc32c_gap_make(struct crc32c_gap *gap, uint64_t bytes);
uint32_t crc32c_gap(const struct crc32c_gap *gap, uint32_t part);
uint32_t crc32c_piece(uint32_t part, const void *data, size_t bytes);
uint32_t crc32c_join(const struct crc32c_gap *whole, uint32_t parts);

#endif
