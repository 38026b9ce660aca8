/* SPDX-License-Identifier: MIT */
/* Series of integers for the page's script, packed: differences, with the sign
 * in the lowest bit, in four planes of bytes; of maps those from the row above;
 * and bytes as they are. All is deflated, as Base64. */
#include "tools/report/html.h"
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/need.h"

#include <libdeflate.h>
#include <string.h>

void words_add(struct words *words, const int32_t *series, size_t count)
{
    const size_t room = words->used + 4 * count;
    words->bytes = need_grow(words->bytes, words->used, room, 1);
    uint32_t before = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = (uint32_t)series[i], step = value - before;
        const uint32_t word = step << 1 ^ (step >> 31 ? UINT32_MAX : 0);
        for (size_t plane = 0; plane < 4; plane++)
            words->bytes[words->used + plane * count + i] =
                (uint8_t)(word >> 8 * plane);
        before = value;
    }
    words->used = room;
}

void words_add_rows(struct words *words, int32_t *map, size_t count,
                    size_t width)
{
    for (size_t i = count; i-- > width;)
        map[i] -= map[i - width];
    words_add(words, map, count);
}

void words_add_doubles(struct words *words, const double *values, size_t count)
{
    const size_t halves = count * sizeof *values / sizeof(int32_t);
    int32_t *series = need_memory(halves + 1, sizeof *series);
    memcpy(series, values, count * sizeof *values);
    words_add(words, series, halves);
    memory_release(series);
}

void words_add_bytes(struct words *words, const void *bytes, size_t count)
{
    words->bytes = need_grow(words->bytes, words->used, words->used + count, 1);
    memcpy(words->bytes + words->used, bytes, count);
    words->used += count;
}

char *words_pack(struct words *words)
{
    enum { SMALLEST = 12 };
    struct libdeflate_compressor *packer =
        libdeflate_alloc_compressor(SMALLEST);
    const size_t room = libdeflate_deflate_compress_bound(packer, words->used);
    uint8_t *packed = need_memory(room, 1);
    char *text = NULL;
    if (packer)
        text = html_base64(
            packed, libdeflate_deflate_compress(packer, words->bytes,
                                                words->used, packed, room));
    libdeflate_free_compressor(packer);
    memory_release(packed);
    memory_release(words->bytes);
    *words = (struct words){ NULL, 0 };
    return text;
}
