/* SPDX-License-Identifier: MIT */
#include "base/crc32c.h"

#include <pthread.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

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
/* The instruction takes three cycles, and one may begin in each: three lanes
 * side by side. Two lanes are joined by what the first checksum becomes after
 * LANE bytes of zeros (Gopal et al. 2011). */
enum { LANE = 4096 };
static struct crc32c_gap lane;

static void lane_fill(void)
{
    crc32c_gap_make(&lane, LANE);
}

/* The checksum over two lanes, from those of the first and the second. */
static uint64_t join(uint64_t crc, uint64_t next)
{
    return crc32c_gap(&lane, (uint32_t)crc) ^ next;
}

static uint64_t word_at(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

__attribute__((target("sse4.2"))) static uint32_t
by_instruction(uint32_t start, const unsigned char *at, size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, lane_fill);
    uint64_t crc = start;
    for (; bytes >= 3 * LANE; bytes -= 3 * LANE, at += 3 * LANE) {
        uint64_t second = 0, third = 0;
        for (int i = 0; i < LANE; i += 8) {
            crc = __builtin_ia32_crc32di(crc, word_at(at + i));
            second = __builtin_ia32_crc32di(second, word_at(at + LANE + i));
            third = __builtin_ia32_crc32di(third, word_at(at + 2 * LANE + i));
        }
        crc = join(join(crc, second), third);
    }
    for (; bytes >= 8; bytes -= 8, at += 8)
        crc = __builtin_ia32_crc32di(crc, word_at(at));
    uint32_t rest = (uint32_t)crc;
    for (; bytes; bytes--, at++)
        rest = __builtin_ia32_crc32qi(rest, *at);
    return rest;
}

/* Products of polynomials without carries, four of 128 bits at a time. The
 * stream is folded onto its next FOLD bytes: each half is multiplied by
 * x^(8·FOLD ± 32) mod P (Gopal et al. 2009). In the end LINE bytes are left. */
enum { FOLD = 256, LINE = 64, LINES = FOLD / LINE };
static uint64_t fold_by[LINES + 1][2]; /* [distance of the fold in lines] */

/* x^n mod P as a factor: the checksum of a 1 followed by n / 8 bytes of zeros,
 * one bit higher. */
__attribute__((target("sse4.2"))) static uint64_t factor(int bits)
{
    uint64_t crc = UINT32_C(1) << 31;
    for (int i = 0; i < bits / 8; i++)
        crc = __builtin_ia32_crc32qi((uint32_t)crc, 0);
    return crc << 1;
}

static void fold_fill(void)
{
    for (int lines = 1; lines <= LINES; lines++) {
        fold_by[lines][0] = factor(8 * LINE * lines + 32);
        fold_by[lines][1] = factor(8 * LINE * lines - 32);
    }
}

__attribute__((target("avx512f"))) static inline __m512i fold_factor(int lines)
{
    return _mm512_broadcast_i32x4(
        _mm_set_epi64x((int64_t)fold_by[lines][1], (int64_t)fold_by[lines][0]));
}

__attribute__((target("avx512f,vpclmulqdq"))) static inline __m512i
folded(__m512i line, __m512i by, __m512i next)
{
    return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(line, by, 0x00),
                                     _mm512_clmulepi64_epi128(line, by, 0x11),
                                     next, 0x96);
}

__attribute__((target("avx512f,vpclmulqdq"))) static uint32_t
by_folding(uint32_t start, const unsigned char *at, size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (bytes < 4 * FOLD)
        return by_instruction(start, at, bytes);
    pthread_once(&once, fold_fill);
    const __m512i by = fold_factor(LINES);
    __m512i line[LINES];
    for (size_t i = 0; i < LINES; i++)
        line[i] = _mm512_loadu_si512(at + i * LINE);
    line[0] = _mm512_xor_si512(
        line[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)start)));
    const unsigned char *end = at + bytes;
    for (at += FOLD; end - at >= FOLD; at += FOLD)
        for (size_t i = 0; i < LINES; i++)
            line[i] = folded(line[i], by, _mm512_loadu_si512(at + i * LINE));
    for (int i = 0; i < LINES - 1; i++)
        line[LINES - 1] =
            folded(line[i], fold_factor(LINES - 1 - i), line[LINES - 1]);
    unsigned char last[LINE];
    _mm512_storeu_si512(last, line[LINES - 1]);
    return by_instruction(by_instruction(0, last, LINE), at,
                          (size_t)(end - at));
}
#endif

uint32_t crc32c(uint32_t crc, const void *data, size_t bytes)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("vpclmulqdq"))
        return ~by_folding(~crc, data, bytes);
    if (__builtin_cpu_supports("sse4.2"))
        return ~by_instruction(~crc, data, bytes);
#endif
    return ~by_table(~crc, data, bytes);
}

/* The linear map of the register as its images of the 32 bits. */
struct map {
    uint32_t image[32];
};

static uint32_t apply(const struct map *map, uint32_t value)
{
    uint32_t sum = 0;
    for (int bit = 0; value; bit++, value >>= 1)
        if (value & 1)
            sum ^= map->image[bit];
    return sum;
}

static struct map after(const struct map *first, const struct map *second)
{
    struct map both;
    for (int bit = 0; bit < 32; bit++)
        both.image[bit] = apply(second, first->image[bit]);
    return both;
}

void crc32c_gap_make(struct crc32c_gap *gap, uint64_t bytes)
{
    struct map power, map;
    for (int bit = 0; bit < 32; bit++) {
        map.image[bit] = UINT32_C(1) << bit;
        power.image[bit] =
            by_table(map.image[bit], (const unsigned char *)"", 1);
    }
    for (; bytes; bytes >>= 1) {
        if (bytes & 1)
            map = after(&map, &power);
        power = after(&power, &power);
    }
    for (int byte = 0; byte < 4; byte++)
        for (uint32_t value = 0; value < 256; value++)
            gap->table[byte][value] = apply(&map, value << (8 * byte));
}

uint32_t crc32c_gap(const struct crc32c_gap *gap, uint32_t part)
{
    return gap->table[0][part & 0xff] ^ gap->table[1][part >> 8 & 0xff] ^
           gap->table[2][part >> 16 & 0xff] ^ gap->table[3][part >> 24];
}

uint32_t crc32c_piece(uint32_t part, const void *data, size_t bytes)
{
    return ~crc32c(~part, data, bytes);
}

uint32_t crc32c_join(const struct crc32c_gap *whole, uint32_t parts)
{
    return ~(parts ^ crc32c_gap(whole, ~UINT32_C(0)));
}
