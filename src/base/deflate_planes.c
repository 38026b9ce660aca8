/* SPDX-License-Identifier: MIT */
#include "base/deflate_planes.h"

#include <libdeflate.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    BLOCK = 1 << 14,      /* bytes that share a Huffman code */
    STORED_MOST = 0xffff, /* maximum bytes of one stored block */
    RUN_LEAST = 16,       /* bytes; a match does not pay in shorter runs */
    MATCH_MOST = 258,
    SAMPLE = 64,
    SAMPLE_EVERY = 1024, /* one byte of so many is sampled to detect noise */
    LANES = 4,           /* of counting in parallel */
};

/* ---- the Huffman code of one block (RFC 1951, 3.2.2 and 3.2.7) ---- */

enum {
    CODE_END = 256,        /* the symbol that ends a block */
    CODE_MATCH_MOST = 285, /* the symbol of a match of 258 bytes, the longest */
    CODE_SYMBOLS = 286,
    CODE_MATCH_LEAST = 3,
    CODE_HEAD_MOST = CODE_SYMBOLS + 32,

    /* At this length four words fit the register beside the bits that wait in
     * it, and each is one entry of the tables by which libdeflate and zlib-ng
     * decode. */
    BITS_MOST = 11,
    HEAD_SYMBOLS = 19,
    HEAD_BITS_MOST = 7,
    LENGTHS = CODE_SYMBOLS + 1, /* and the one of the only distance */
};

struct code_word {
    uint16_t bits; /* in the order of output, the first bit lowest */
    uint16_t length;
};

struct code {
    struct code_word words[CODE_SYMBOLS];
    /* What comes before the block's data: its kind and the code itself. */
    struct code_word head[CODE_HEAD_MOST];
    unsigned head_count;
};

static const unsigned length_bases[] = { 3,   4,   5,   6,   7,  8,  9,  10,
                                         11,  13,  15,  17,  19, 23, 27, 31,
                                         35,  43,  51,  59,  67, 83, 99, 115,
                                         131, 163, 195, 227, 258 };
static const unsigned char length_extras[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
                                               1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
                                               4, 4, 4, 4, 5, 5, 5, 5, 0 };

/* The symbol of a match of 3 … 258 bytes; the symbol's shortest length and its
 * extra bits. */
static int code_of_length(size_t length)
{
    int index = 0;
    while (index + 1 < (int)(sizeof length_extras) &&
           length_bases[index + 1] <= length)
        index++;
    return CODE_END + 1 + index;
}

static unsigned code_length_base(int symbol)
{
    return length_bases[symbol - CODE_END - 1];
}

static unsigned code_length_extra(int symbol)
{
    return length_extras[symbol - CODE_END - 1];
}

/* Bits per byte, by Shannon's entropy. */
static double code_entropy(const uint32_t counts[256], size_t bytes)
{
    double sum = 0;
    for (int i = 0; i < 256; i++)
        if (counts[i])
            sum -= (double)counts[i] * log2((double)counts[i] / (double)bytes);
    return bytes ? sum / (double)bytes : 0;
}

/* ---- lengths of words: Huffman's tree in two queues ---- */

struct leaf {
    uint32_t count;
    uint16_t symbol;
};

/* Radix sort by count, stable; one byte of the counts in a pass, as many passes
 * as the largest count has bytes. */
static void sort_leaves(struct leaf *leaves, int used)
{
    struct leaf other[CODE_SYMBOLS], *from = leaves, *to = other;
    uint32_t most = 0;
    for (int i = 0; i < used; i++)
        most |= leaves[i].count;
    for (int shift = 0; shift < 32 && most >> shift; shift += 8) {
        int place[257] = { 0 };
        for (int i = 0; i < used; i++)
            place[(from[i].count >> shift & 0xff) + 1]++;
        for (int digit = 0; digit < 256; digit++)
            place[digit + 1] += place[digit];
        for (int i = 0; i < used; i++)
            to[place[from[i].count >> shift & 0xff]++] = from[i];
        struct leaf *turned = from;
        from = to;
        to = turned;
    }
    if (from != leaves)
        memcpy(leaves, from, (size_t)used * sizeof *leaves);
}

/* Depths of the sorted leaves into depth[0 … leaves − 1]: leaves and joined
 * nodes are both taken in rising order of their counts. */
static void find_depths(const struct leaf *sorted, int leaves, uint8_t *depth)
{
    uint32_t count[2 * CODE_SYMBOLS];
    int parent[2 * CODE_SYMBOLS], leaf = 0, joined = leaves;
    for (int i = 0; i < leaves; i++)
        count[i] = sorted[i].count;
    for (int next = leaves; next < 2 * leaves - 1; next++) {
        count[next] = 0;
        for (int child = 0; child < 2; child++) {
            bool take_leaf = leaf < leaves &&
                             (joined == next || count[leaf] <= count[joined]);
            int taken = take_leaf ? leaf++ : joined++;
            count[next] += count[taken];
            parent[taken] = next;
        }
    }
    int deep[2 * CODE_SYMBOLS];
    deep[2 * leaves - 2] = 0;
    for (int i = 2 * leaves - 3; i >= 0; i--)
        /* cppcheck-suppress uninitvar ; each node but the last was taken */
        deep[i] = deep[parent[i]] + 1;
    for (int i = 0; i < leaves; i++)
        depth[i] = (uint8_t)(deep[i] < 255 ? deep[i] : 255);
}

/* Words that are too long are cut to `most` bits. Then the sum of 2^-length is
 * over 1; it is brought back by lengthening the rarest words that may become
 * longer. */
static void limit_depths(uint8_t *depth, int leaves, int most)
{
    int64_t sum = 0, whole = (int64_t)1 << most;
    for (int i = 0; i < leaves; i++) {
        depth[i] = depth[i] < most ? depth[i] : (uint8_t)most;
        sum += (int64_t)1 << (most - depth[i]);
    }
    for (int i = 0; sum > whole; i = (i + 1) % leaves)
        if (depth[i] < most) {
            sum -= (int64_t)1 << (most - depth[i] - 1);
            depth[i]++;
        }
    /* The room that is left shortens the most frequent words. */
    for (int i = leaves - 1; i >= 0; i--)
        while (depth[i] > 1 &&
               sum + ((int64_t)1 << (most - depth[i])) <= whole) {
            sum += (int64_t)1 << (most - depth[i]);
            depth[i]--;
        }
}

static void find_lengths(const uint32_t *counts, int symbols, int most,
                         uint8_t *lengths)
{
    struct leaf leaves[CODE_SYMBOLS];
    uint8_t depth[CODE_SYMBOLS];
    int used = 0;
    memset(lengths, 0, (size_t)symbols);
    for (int i = 0; i < symbols; i++)
        if (counts[i])
            leaves[used++] = (struct leaf){ counts[i], (uint16_t)i };
    if (used == 1) {
        lengths[leaves[0].symbol] = 1;
        return;
    }
    /* cppcheck-suppress uninitvar ; used counts what is set */
    sort_leaves(leaves, used);
    find_depths(leaves, used, depth);
    limit_depths(depth, used, most);
    for (int i = 0; i < used; i++)
        lengths[leaves[i].symbol] = depth[i];
}

/* ---- words from lengths (RFC 1951, 3.2.2) ---- */

static uint16_t reversed(unsigned bits, unsigned length)
{
    unsigned turned = 0;
    for (; length > 0; length--, bits >>= 1)
        turned = turned << 1 | (bits & 1);
    return (uint16_t)turned;
}

static void find_words(const uint8_t *lengths, int symbols,
                       struct code_word *words)
{
    unsigned of_length[16] = { 0 }, next[16] = { 0 };
    for (int i = 0; i < symbols; i++)
        of_length[lengths[i]]++;
    of_length[0] = 0;
    for (int length = 1; length < 16; length++)
        next[length] = (next[length - 1] + of_length[length - 1]) << 1;
    for (int i = 0; i < symbols; i++) {
        words[i].length = lengths[i];
        words[i].bits =
            lengths[i] ? reversed(next[lengths[i]]++, lengths[i]) : 0;
    }
}

/* ---- the head of a block (RFC 1951, 3.2.7) ---- */

struct head_symbol {
    uint8_t symbol, extra, extra_bits;
};

/* Runs of lengths as symbols 16 (the one before, 3 to 6 times), 17 and 18
 * (zeros, 3 to 10 and 11 to 138 times). */
static int shorten(const uint8_t *lengths, int count,
                   struct head_symbol *symbols)
{
    int made = 0;
    for (int i = 0; i < count;) {
        int run = 1;
        while (i + run < count && lengths[i + run] == lengths[i])
            run++;
        if (lengths[i] == 0 && run >= 11) {
            run = run < 138 ? run : 138;
            symbols[made++] =
                (struct head_symbol){ 18, (uint8_t)(run - 11), 7 };
        } else if (lengths[i] == 0 && run >= 3) {
            symbols[made++] = (struct head_symbol){ 17, (uint8_t)(run - 3), 3 };
        } else if (i > 0 && lengths[i] == lengths[i - 1] && run >= 3) {
            run = run < 6 ? run : 6;
            symbols[made++] = (struct head_symbol){ 16, (uint8_t)(run - 3), 2 };
        } else {
            run = 1;
            symbols[made++] = (struct head_symbol){ lengths[i], 0, 0 };
        }
        i += run;
    }
    return made;
}

static void head_put(struct code *code, unsigned bits, unsigned length)
{
    code->head[code->head_count++] =
        (struct code_word){ (uint16_t)bits, (uint16_t)length };
}

/* Kind 2, the numbers of lengths, the code of the lengths, the lengths. */
static void make_head(struct code *code, const uint8_t *lengths, int count)
{
    static const uint8_t order[HEAD_SYMBOLS] = { 16, 17, 18, 0,  8, 7,  9,
                                                 6,  10, 5,  11, 4, 12, 3,
                                                 13, 2,  14, 1,  15 };
    struct head_symbol symbols[LENGTHS];
    uint32_t counts[HEAD_SYMBOLS] = { 0 };
    uint8_t head_lengths[HEAD_SYMBOLS];
    struct code_word words[HEAD_SYMBOLS];
    int made = shorten(lengths, count, symbols), written = HEAD_SYMBOLS;
    for (int i = 0; i < made; i++)
        counts[symbols[i].symbol]++;
    find_lengths(counts, HEAD_SYMBOLS, HEAD_BITS_MOST, head_lengths);
    find_words(head_lengths, HEAD_SYMBOLS, words);
    while (written > 4 && head_lengths[order[written - 1]] == 0)
        written--;
    code->head_count = 0;
    head_put(code, 2u << 1, 3);
    head_put(code, (unsigned)(count - 1 - 257), 5);
    head_put(code, 0, 5); /* the number of distances: one */
    head_put(code, (unsigned)(written - 4), 4);
    for (int i = 0; i < written; i++)
        head_put(code, head_lengths[order[i]], 3);
    for (int i = 0; i < made; i++) {
        const struct code_word *word = &words[symbols[i].symbol];
        head_put(code, word->bits | (unsigned)symbols[i].extra << word->length,
                 word->length + symbols[i].extra_bits);
    }
}

static size_t block_bits(const struct code *code, const uint32_t *counts)
{
    size_t bits = 0;
    for (unsigned i = 0; i < code->head_count; i++)
        bits += code->head[i].length;
    for (int i = 0; i < CODE_SYMBOLS; i++) {
        size_t each = code->words[i].length;
        if (i > CODE_END)
            each += code_length_extra(i) + 1u;
        bits += counts[i] * each;
    }
    return bits;
}

/* The best code of at most 11 bits per word for symbols with these counts;
 * CODE_END must have a count. Returns the bits of the whole block including its
 * head. The only distance, 1, takes a bit. */
static size_t code_make(struct code *code, const uint32_t counts[CODE_SYMBOLS])
{
    uint8_t lengths[LENGTHS];
    int written = CODE_SYMBOLS;
    find_lengths(counts, CODE_SYMBOLS, BITS_MOST, lengths);
    find_words(lengths, CODE_SYMBOLS, code->words);
    while (written > CODE_END + 1 && lengths[written - 1] == 0)
        written--;
    lengths[written] = 1; /* of the distance */
    make_head(code, lengths, written + 1);
    return block_bits(code, counts);
}

/* ---- the bits of a stream ---- */

struct writer {
    unsigned char *at;
    uint64_t bits; /* not written yet, the first lowest */
    unsigned count;
};

/* Adds up to 48 bits; whole bytes are written out. */
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

/* The number of bytes from `at` on that equal the first, compared by words; 0
 * if no run starts here. */
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

/* The runs of a block, and the count of each symbol. Equal literals that are
 * close to each other are counted in different lanes, so that one addition does
 * not wait for another. */
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

/* A run is written as its first byte, matches of 258 bytes, and one match for
 * the rest; if the rest is too short for a match it is written as literals. */
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
    /* a copy, which the compiler keeps in registers */
    struct writer now = *writer;
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

/* Looks at a sample of the bytes: would a Huffman code shorten them by less
 * than a sixteenth? That is not worth the time to write and to read it. */
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
