/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

/* FIPS 180-4, 4.2.2: the first 32 bits of the fractions of the cube roots of
 * the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t right(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

/* 6.2.2, step 1 */
static void expand(const unsigned char *block, uint32_t w[64])
{
    for (int t = 0; t < 16; t++, block += 4)
        w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
               (uint32_t)block[2] << 8 | block[3];
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + w[t - 7] + (right(a, 7) ^ right(a, 18) ^ a >> 3) +
               (right(b, 17) ^ right(b, 19) ^ b >> 10);
    }
}

/* 6.2.2, steps 2 to 4 */
static void take_block(struct sha256 *sum, const unsigned char *block)
{
    uint32_t w[64], s[8];
    expand(block, w);
    memcpy(s, sum->state, sizeof s);
    for (int t = 0; t < 64; t++) {
        uint32_t one = s[7] +
                       (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[t] + w[t];
        uint32_t two = (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        sum->state[i] += s[i];
}

void sha256_start(struct sha256 *sum)
{
    *sum = (struct sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                       0xa54ff53a, 0x510e527f, 0x9b05688c,
                                       0x1f83d9ab, 0x5be0cd19 } };
}

void sha256_add(struct sha256 *sum, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    while (bytes > 0) {
        size_t used = sum->bytes % SHA256_BLOCK;
        size_t more = SHA256_BLOCK - used < bytes ? SHA256_BLOCK - used : bytes;
        memcpy(sum->block + used, at, more);
        sum->bytes += more;
        at += more;
        bytes -= more;
        if (sum->bytes % SHA256_BLOCK == 0)
            take_block(sum, sum->block);
    }
}

void sha256_end(struct sha256 *sum, char text[SHA256_TEXT])
{
    static const unsigned char padding[SHA256_BLOCK] = { 0x80 };
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(sum->bytes * 8 >> (56 - 8 * i));
    size_t used = sum->bytes % SHA256_BLOCK;
    sha256_add(sum, padding, (used < 56 ? 56 : 120) - used);
    sha256_add(sum, length, sizeof length);
    for (size_t i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", sum->state[i]);
}
