/* SPDX-License-Identifier: MIT */
#include "base/deflate_planes.h"

#include "base/deflate_code.h"

#include <libdeflate.h>
#include <string.h>

enum {
    BLOCK = 1 << 14,      /* bytes that share a Huffman code */
    STORED_MOST = 0xffff, /* of one stored block */
    RUN_LEAST = 16,       /* bytes; in shorter runs a match gains nothing */
    MATCH_MOST = 258,
    SAMPLE = 64,
    SAMPLE_EVERY = 1024, /* bytes looked at to tell noise */
    LANES = 4,           /* of counting */
};

/* ---- the bits of a stream ---- */

struct writer {
    unsigned char *at;
    uint64_t bits; /* not written yet, the first lowest */
    unsigned count;
};

/* Up to 48 bits a call; what is whole bytes goes out. */
static inline void put(struct writer *writer, uint64_t bits, unsigned count)
{
    writer->bits |= bits << writer->count;
    writer->count += count;
    memcpy(writer->at, &writer->bits, sizeof writer->bits);
    writer->at += writer->count >> 3;
    writer->bits >>= writer->count & 56;
    writer->count &= 7;
}

static void put_stored(struct writer *writer, const unsigned char *bytes,
                       size_t count)
{
    while (count > 0) {
        size_t now = count < STORED_MOST ? count : STORED_MOST;
        put(writer, 0, 3);
        if (writer->count)
            put(writer, 0, 8 - writer->count);
        put(writer, now | (uint64_t)(now ^ STORED_MOST) << 16, 32);
        memcpy(writer->at, bytes, now);
        writer->at += now;
        bytes += now;
        count -= now;
    }
}

/* ---- runs ---- */

/* Bytes from `at` on that equal the one there, by words; 0 where it is not
 * the start of a run. */
static size_t run_at(const unsigned char *bytes, size_t at, size_t count)
{
    uint64_t first, word;
    memcpy(&first, bytes + at, sizeof first);
    if (first != (first & 0xff) * 0x0101010101010101u)
        return 0;
    size_t end = at + sizeof first;
    for (; end + sizeof word <= count; end += sizeof word) {
        memcpy(&word, bytes + end, sizeof word);
        if (word != first)
            break;
    }
    while (end < count && bytes[end] == bytes[at])
        end++;
    return end - at >= RUN_LEAST ? end - at : 0;
}

struct run {
    uint32_t at, length;
};

/* The runs of a block, and how often each symbol is wanted. Literals that are
 * alike and near add to different numbers, which need not wait for each other.
 */
struct block {
    struct run runs[BLOCK / RUN_LEAST];
    size_t run_count;
    uint32_t counts[CODE_SYMBOLS];
    uint32_t literals[LANES][256];
};

static void count_begin(struct block *block)
{
    block->run_count = 0;
    memset(block->counts, 0, sizeof block->counts);
    memset(block->literals, 0, sizeof block->literals);
}

static void count_literals(struct block *block, const unsigned char *bytes,
                           size_t count)
{
    uint32_t(*literals)[256] = block->literals;
    size_t i = 0;
    for (; i + sizeof(uint64_t) <= count; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        for (size_t byte = 0; byte < sizeof word; byte++)
            literals[byte % LANES][word >> 8 * byte & 0xff]++;
    }
    for (; i < count; i++)
        literals[0][bytes[i]]++;
}

static void count_end(struct block *block)
{
    for (size_t value = 0; value < 256; value++)
        for (size_t lane = 0; lane < LANES; lane++)
            block->counts[value] += block->literals[lane][value];
}

/* A run is its first byte, matches of the most bytes, and one for the rest;
 * a rest too short for a match is left to the literals. */
static size_t matched(size_t length)
{
    size_t rest = (length - 1) % MATCH_MOST;
    return rest >= CODE_MATCH_LEAST || rest == 0 ? length : length - rest;
}

static void count_run(struct block *block, unsigned char byte, size_t length)
{
    size_t rest = (length - 1) % MATCH_MOST;
    block->counts[byte]++;
    block->counts[CODE_MATCH_MOST] += (uint32_t)((length - 1) / MATCH_MOST);
    if (rest)
        block->counts[code_of_length(rest)]++;
}

static void look(struct block *block, const unsigned char *bytes, size_t count)
{
    size_t literals = 0, at = 0;
    count_begin(block);
    while (at + sizeof(uint64_t) <= count) {
        size_t length = run_at(bytes, at, count);
        if (!length) {
            at += sizeof(uint64_t);
            continue;
        }
        length = matched(length);
        count_literals(block, bytes + literals, at - literals);
        count_run(block, bytes[at], length);
        block->runs[block->run_count++] =
            (struct run){ (uint32_t)at, (uint32_t)length };
        literals = at += length;
    }
    count_literals(block, bytes + literals, count - literals);
    block->counts[CODE_END]++;
    count_end(block);
}

/* ---- a block ---- */

static void put_literals(struct writer *writer, const struct code *code,
                         const unsigned char *bytes, size_t count)
{
    struct writer now = *writer; /* in registers */
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const struct code_word a = code->words[bytes[i]],
                               b = code->words[bytes[i + 1]],
                               c = code->words[bytes[i + 2]],
                               d = code->words[bytes[i + 3]];
        uint64_t low = a.bits | (uint64_t)b.bits << a.length;
        uint64_t high = c.bits | (uint64_t)d.bits << c.length;
        unsigned middle = (unsigned)a.length + b.length;
        put(&now, low | high << middle, middle + c.length + d.length);
    }
    for (; i < count; i++)
        put(&now, code->words[bytes[i]].bits, code->words[bytes[i]].length);
    *writer = now;
}

static void put_run(struct writer *writer, const struct code *code,
                    unsigned char byte, size_t length)
{
    size_t rest = (length - 1) % MATCH_MOST;
    put(writer, code->words[byte].bits, code->words[byte].length);
    struct code_word most = code->words[CODE_MATCH_MOST];
    for (size_t i = (length - 1) / MATCH_MOST; i > 0; i--)
        put(writer, most.bits, most.length + 1u); /* distance 1: a bit of 0 */
    if (rest) {
        int symbol = code_of_length(rest);
        struct code_word word = code->words[symbol];
        put(writer, word.bits, word.length);
        put(writer, rest - code_length_base(symbol),
            code_length_extra(symbol) + 1u);
    }
}

static void put_coded(struct writer *writer, const struct code *code,
                      const struct block *block, const unsigned char *bytes,
                      size_t count)
{
    size_t literals = 0;
    for (unsigned i = 0; i < code->head_count; i++)
        put(writer, code->head[i].bits, code->head[i].length);
    for (size_t i = 0; i < block->run_count; i++) {
        const struct run *run = &block->runs[i];
        put_literals(writer, code, bytes + literals, run->at - literals);
        put_run(writer, code, bytes[run->at], run->length);
        literals = run->at + run->length;
    }
    put_literals(writer, code, bytes + literals, count - literals);
    put(writer, code->words[CODE_END].bits, code->words[CODE_END].length);
}

/* A glance at some of the bytes: would a code of their own shorten them by
 * less than a sixteenth? That is not worth the time, here and where they are
 * read. */
static bool is_noise(struct block *sample, const unsigned char *bytes,
                     size_t count)
{
    size_t looked = 0;
    if (count < 8 * SAMPLE_EVERY)
        return false;
    count_begin(sample);
    for (size_t at = 0; at + SAMPLE <= count; at += SAMPLE_EVERY) {
        count_literals(sample, bytes + at, SAMPLE);
        looked += SAMPLE;
    }
    count_end(sample);
    return code_entropy(sample->counts, looked) * 16 > 15.0 * 8;
}

static void put_block(struct writer *writer, struct block *block,
                      const unsigned char *bytes, size_t count)
{
    struct code code;
    look(block, bytes, count);
    size_t bits = code_make(&code, block->counts);
    if (bits < 8 * count)
        put_coded(writer, &code, block, bytes, count);
    else
        put_stored(writer, bytes, count);
}

size_t deflate_planes_room(size_t bytes)
{
    size_t blocks = bytes / BLOCK + bytes / 1024 + 2;
    return bytes + 16 * blocks + 64;
}

size_t deflate_planes(const unsigned char *bytes, size_t count, size_t plane,
                      unsigned char *out)
{
    static const unsigned char head[] = { 0x78, 0x01 }, tail[] = { 0x03, 0 };
    struct block block;
    struct writer writer = { .at = out + sizeof head };
    memcpy(out, head, sizeof head);
    for (size_t from = 0; from < count; from += plane) {
        size_t in_plane = count - from < plane ? count - from : plane;
        if (is_noise(&block, bytes + from, in_plane)) {
            put_stored(&writer, bytes + from, in_plane);
            continue;
        }
        for (size_t at = 0; at < in_plane; at += BLOCK) {
            size_t now = in_plane - at < BLOCK ? in_plane - at : BLOCK;
            put_block(&writer, &block, bytes + from + at, now);
        }
    }
    /* The last block is empty, of the fixed code: 1, 01, 0000000. */
    put(&writer, (uint64_t)tail[0] | (uint64_t)tail[1] << 8, 10);
    if (writer.count)
        put(&writer, 0, 8 - writer.count);
    uint32_t sum = libdeflate_adler32(1, bytes, count);
    for (int shift = 24; shift >= 0; shift -= 8)
        *writer.at++ = (unsigned char)(sum >> shift);
    return (size_t)(writer.at - out);
}
