/* SPDX-License-Identifier: MIT */
#include "base/crc32c.h"

#include <pthread.h>
#include <string.h>

enum { SLICES = 8 };
static uint32_t table[SLICES][256];

static void table_fill(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
        table[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < 256; byte++)
        for (int k = 1; k < SLICES; k++)
            table[k][byte] =
                table[k - 1][byte] >> 8 ^ table[0][table[k - 1][byte] & 0xff];
}

/* Eight table look-ups for eight bytes (Kounavis and Berry 2005), for
 * machines without the instruction. */
static uint32_t by_table(uint32_t crc, const unsigned char *at, size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, table_fill);
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint32_t low = crc ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 |
                              (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
        crc = table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^
              table[5][low >> 16 & 0xff] ^ table[4][low >> 24] ^
              table[3][at[4]] ^ table[2][at[5]] ^ table[1][at[6]] ^
              table[0][at[7]];
    }
    for (; bytes; bytes--, at++)
        crc = crc >> 8 ^ table[0][(crc ^ *at) & 0xff];
    return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t
by_instruction(uint32_t crc, const unsigned char *at, size_t bytes)
{
    uint64_t wide = crc;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    crc = (uint32_t)wide;
    for (; bytes; bytes--, at++)
        crc = __builtin_ia32_crc32qi(crc, *at);
    return crc;
}
#endif

uint32_t crc32c(uint32_t crc, const void *data, size_t bytes)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2"))
        return ~by_instruction(~crc, data, bytes);
#endif
    return ~by_table(~crc, data, bytes);
}
