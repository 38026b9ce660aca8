/* SPDX-License-Identifier: MIT */
/* The speed of memory, in place: it moves as many bytes as a step. */
#ifndef HAMON_BENCH_TRIAD_H
#define HAMON_BENCH_TRIAD_H

#include <stddef.h>

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static void
triad(float *restrict a, const float *restrict b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] = 0.5f * b[i] - a[i];
}

#endif
