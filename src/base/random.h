/* SPDX-License-Identifier: MIT */
/* xoshiro256** 1.0 (Blackman and Vigna 2018): one stream of random numbers
 * whose whole state is four words, so that a recording can keep it. */
#ifndef HAMON_BASE_RANDOM_H
#define HAMON_BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Fills the state from `seed` by splitmix64; every seed is good, 0 too. */
void random_seed(struct random *random, uint64_t seed);

/* The stream of one consumer of a run's seed: what it draws depends on the
 * seed, on what it draws for and on its name, and on nobody beside it. */
void random_stream(struct random *random, uint64_t seed, const char *purpose,
                   const char *name);

/* The next 64 random bits. */
uint64_t random_next(struct random *random);

/* Uniform in 0 … bound − 1, without bias; bound ≥ 1. */
uint64_t random_below(struct random *random, uint64_t bound);

/* Uniform in [0, 1), 53 bits. */
double random_unit(struct random *random);

#endif
