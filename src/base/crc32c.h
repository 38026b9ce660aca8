/* SPDX-License-Identifier: MIT */
/* CRC-32C (Castagnoli, RFC 3720 B.4). A recording stores one for every frame of
 * a variable. */
#ifndef HAMON_BASE_CRC32C_H
#define HAMON_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of `bytes` bytes appended to what `crc` already covers; start
 * with crc = 0. crc32c(0, "123456789", 9) is 0xe3069283. */
uint32_t crc32c(uint32_t crc, const void *data, size_t bytes);

/* Checksums of data whose pieces are in several processes. The checksum is
 * linear except for its first and last step. Each process takes the bytes of
 * the others as zeros, and the results are joined by exclusive or:
 *
 *   part = 0; for each piece: part = crc32c_gap(zeros before it, part);
 *             part = crc32c_piece(part, piece); at the end: the zeros behind
 *   crc32c(0, whole) = crc32c_join(gap of the whole's bytes, part ^ part ^ …)
 */
struct crc32c_gap {
    uint32_t table[4][256]; /* what a byte of the register becomes */
};

/* The gap of `bytes` zero bytes. */
void crc32c_gap_make(struct crc32c_gap *gap, uint64_t bytes);
uint32_t crc32c_gap(const struct crc32c_gap *gap, uint32_t part);
uint32_t crc32c_piece(uint32_t part, const void *data, size_t bytes);
uint32_t crc32c_join(const struct crc32c_gap *whole, uint32_t parts);

#endif
