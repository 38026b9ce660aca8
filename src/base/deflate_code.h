/* SPDX-License-Identifier: MIT */
/* The Huffman code of one block of deflate (RFC 1951, 3.2.2 and 3.2.7). */
#ifndef HAMON_BASE_DEFLATE_CODE_H
#define HAMON_BASE_DEFLATE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CODE_END = 256,        /* the symbol that ends a block */
    CODE_MATCH_MOST = 285, /* the symbol of a match of 258 bytes */
    CODE_SYMBOLS = 286,
    CODE_MATCH_LEAST = 3,
    CODE_HEAD_MOST = CODE_SYMBOLS + 32,
};

struct code_word {
    uint16_t bits; /* as they go out, the first lowest */
    uint16_t length;
};

struct code {
    struct code_word words[CODE_SYMBOLS];
    /* What stands before the block's data: its kind and the code itself. */
    struct code_word head[CODE_HEAD_MOST];
    unsigned head_count;
};

/* The best code of at most 11 bits a word for symbols that are wanted this
 * often; CODE_END is. Returns the bits of the whole block, head included. The
 * one distance there is, 1, takes a bit. */
size_t code_make(struct code *code, const uint32_t counts[CODE_SYMBOLS]);

/* Bits a byte, as Shannon counts them. */
double code_entropy(const uint32_t counts[256], size_t bytes);

/* Of a match of 3 … 258 bytes: its symbol; and the symbol's shortest length
 * and extra bits. */
int code_of_length(size_t length);
unsigned code_length_base(int symbol);
unsigned code_length_extra(int symbol);

#endif
