/* SPDX-License-Identifier: MIT */
#include "base/deflate_code.h"

#include <math.h>
#include <string.h>

enum {
    /* Four words fit a register beside what waits in it, and each one entry of
     * the tables by which libdeflate and zlib-ng find words. */
    BITS_MOST = 11,
    HEAD_SYMBOLS = 19,
    HEAD_BITS_MOST = 7,
    LENGTHS = CODE_SYMBOLS + 1, /* and the one distance's */
};

static const unsigned length_bases[] = { 3,   4,   5,   6,   7,  8,  9,  10,
                                         11,  13,  15,  17,  19, 23, 27, 31,
                                         35,  43,  51,  59,  67, 83, 99, 115,
                                         131, 163, 195, 227, 258 };
static const unsigned char length_extras[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
                                               1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
                                               4, 4, 4, 4, 5, 5, 5, 5, 0 };

int code_of_length(size_t length)
{
    int index = 0;
    while (index + 1 < (int)(sizeof length_extras) &&
           length_bases[index + 1] <= length)
        index++;
    return CODE_END + 1 + index;
}

unsigned code_length_base(int symbol)
{
    return length_bases[symbol - CODE_END - 1];
}

unsigned code_length_extra(int symbol)
{
    return length_extras[symbol - CODE_END - 1];
}

double code_entropy(const uint32_t counts[256], size_t bytes)
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

/* By count, equal ones as they came: a byte of the counts a pass, as many as
 * the largest has. */
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

/* Words too long are cut to `most`; the sum of 2^-length, then over 1, is
 * brought back by lengthening the rarest of those that can be. */
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
    /* What room that left goes to the most frequent. */
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
    int made = shorten(lengths, count, symbols), told = HEAD_SYMBOLS;
    for (int i = 0; i < made; i++)
        counts[symbols[i].symbol]++;
    find_lengths(counts, HEAD_SYMBOLS, HEAD_BITS_MOST, head_lengths);
    find_words(head_lengths, HEAD_SYMBOLS, words);
    while (told > 4 && head_lengths[order[told - 1]] == 0)
        told--;
    code->head_count = 0;
    head_put(code, 2u << 1, 3);
    head_put(code, (unsigned)(count - 1 - 257), 5);
    head_put(code, 0, 5); /* one distance */
    head_put(code, (unsigned)(told - 4), 4);
    for (int i = 0; i < told; i++)
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

size_t code_make(struct code *code, const uint32_t counts[CODE_SYMBOLS])
{
    uint8_t lengths[LENGTHS];
    int told = CODE_SYMBOLS;
    find_lengths(counts, CODE_SYMBOLS, BITS_MOST, lengths);
    find_words(lengths, CODE_SYMBOLS, code->words);
    while (told > CODE_END + 1 && lengths[told - 1] == 0)
        told--;
    lengths[told] = 1; /* the distance */
    make_head(code, lengths, told + 1);
    return block_bits(code, counts);
}
