/* SPDX-License-Identifier: MIT */
/* xoshiro256** 1.0 (Blackman and Vigna 2018): one stream of random numbers
 * whose whole state is four words, so that a recording can keep it. */
#ifndef HAMON_BASE_RANDOM_H
#define HAMON_BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Fills the state from `seed` by splitmix64. Every seed is allowed, also 0. */
void random_seed(struct random *random, uint64_t seed);

/* The stream of one agent or target from the seed of a run. Its numbers depend
 * only on the seed, the purpose and the name, not on other agents. */
void random_stream(struct random *random, uint64_t seed, const char *purpose,
                   const char *name);

/* The next 64 random bits. */
uint64_t random_next(struct random *random);

/* Uniform in 0 … bound − 1, without bias. bound ≥ 1. */
uint64_t random_below(struct random *random, uint64_t bound);

/* Uniform in [0, 1), 53 bits. */
double random_unit(struct random *random);

#endif
