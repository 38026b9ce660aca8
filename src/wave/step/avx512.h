/* SPDX-License-Identifier: MIT */
/* AVX-512 versions for the loops of 64-byte vectors (unit.inc):
 * neighbours are taken from lines that are loaded already. The includer defines
 * NAME(vector). */
#ifndef HAMON_WAVE_STEP_AVX512_H
#define HAMON_WAVE_STEP_AVX512_H

#include <immintrin.h>

#define AVX512_TARGET                                                          \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

#define AVX512_JOIN_SINGLE(low, high, first)                                   \
    (NAME(vector)) _mm512_castsi512_ps(                                        \
        _mm512_alignr_epi32(_mm512_castps_si512((__m512)(high)),               \
                            _mm512_castps_si512((__m512)(low)), first))
#define AVX512_JOIN_DOUBLE(low, high, first)                                   \
    (NAME(vector)) _mm512_castsi512_pd(                                        \
        _mm512_alignr_epi64(_mm512_castpd_si512((__m512d)(high)),              \
                            _mm512_castpd_si512((__m512d)(low)), first))

#endif
