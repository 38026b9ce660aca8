/* SPDX-License-Identifier: MIT */
#include "base/random.h"

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* The next word of splitmix64. */
static uint64_t split_next(uint64_t *seed)
{
    *seed += 0x9e3779b97f4a7c15;
    uint64_t z = *seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

void random_seed(struct random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        random->state[i] = split_next(&seed);
}

/* FNV-1a over the text and its NUL. The NUL makes "ab", "c" differ from "a",
 * "bc". */
static uint64_t take_text(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    while (*text++);
    return hash;
}

void random_stream(struct random *random, uint64_t seed, const char *purpose,
                   const char *name)
{
    random_seed(random, take_text(take_text(split_next(&seed), purpose), name));
}

uint64_t random_next(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

/* Lemire (2019): the high word of a product; drawn again in the small biased
 * range. */
uint64_t random_below(struct random *random, uint64_t bound)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)random_next(random) * bound;
    if ((uint64_t)product < bound) {
        uint64_t sliver = -bound % bound;
        while ((uint64_t)product < sliver)
            product = (wide)random_next(random) * bound;
    }
    return (uint64_t)(product >> 64);
}

double random_unit(struct random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}
