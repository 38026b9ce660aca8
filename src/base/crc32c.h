/* SPDX-License-Identifier: MIT */
/* CRC-32C (Castagnoli, RFC 3720 B.4): a recording keeps one for every row. */
#ifndef HAMON_BASE_CRC32C_H
#define HAMON_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of `bytes` bytes appended to what `crc` already covers; start
 * with crc = 0. crc32c(0, "123456789", 9) is 0xe3069283. */
uint32_t crc32c(uint32_t crc, const void *data, size_t bytes);

#endif
