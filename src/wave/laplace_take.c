/* SPDX-License-Identifier: MIT */
/* The loops of the Laplace-weighted wave: V ← V·e^p + z, a vector at a time.
 * What is done to a vector is in laplace_plain.inc and laplace_avx512.inc,
 * which of them it is done to in laplace_lists.inc. */
#if defined __GNUC__ && !defined __clang__
/* Comparisons that may raise a flag keep gcc from making vectors of the loops
 * below. Nobody reads the flag; no value changes. */
#pragma GCC optimize("no-trapping-math")
#endif

#include "wave/laplace_tiles.h"

#include <float.h>
#include <math.h>
#ifdef __x86_64__
#include "wave/kernel_avx512.h"
#endif

enum { LINE = 64, AHEAD = 8 /* vectors that are asked for early */ };

/* While |z| is over this share of |V|, no cell is held: η, and more than
 * rounding could take from it. */
static double share_of(const struct laplace *laplace)
{
    return laplace->options.eta * 1.001;
}

#define NAME(x) x##_single
#define REAL float
#define SMALLEST FLT_MIN
#define BITS_OF laplace_bits_single
#define MAGNITUDE fabsf
#define TARGET
#include "wave/laplace_plain.inc"
#define NAME(x) x##_double
#define REAL double
#define SMALLEST DBL_MIN
#define BITS_OF laplace_bits_double
#define MAGNITUDE fabs
#define TARGET
#include "wave/laplace_plain.inc"

#ifdef __x86_64__
#define NAME(x) x##_single_avx2
#define REAL float
#define SMALLEST FLT_MIN
#define BITS_OF laplace_bits_single
#define MAGNITUDE fabsf
#define TARGET __attribute__((target("avx2")))
#include "wave/laplace_plain.inc"
#define NAME(x) x##_double_avx2
#define REAL double
#define SMALLEST DBL_MIN
#define BITS_OF laplace_bits_double
#define MAGNITUDE fabs
#define TARGET __attribute__((target("avx2")))
#include "wave/laplace_plain.inc"

#define NAME(x) x##_single_avx512
#define REAL float
#define TARGET AVX512_TARGET
#define VECTOR __m512
#define MASK __mmask16
#define DO(x) _mm512_##x##_ps
#define COMPARE _mm512_mask_cmp_ps_mask
#define AGES __m256i
#define DO_AGES(x) _mm256_##x##_epi16
#define SMALLEST FLT_MIN
#define NONE(ages) _mm256_testn_epi16_mask(ages, ages)
#define NONE_OF(of, ages) _mm256_mask_testn_epi16_mask(of, ages, ages)
#define LOAD_AGES(from) _mm256_loadu_si256((const __m256i *)(from))
#define STORE_AGES(to, ages) _mm256_storeu_si256((__m256i *)(to), ages)
/* laplace_bits and what they are compared with, in lanes of integers. */
#define BITS_OF(v) _mm512_castps_si512(v)
#define SIGNS(v) _mm512_movepi32_mask(_mm512_castps_si512(v))
#define WIDEN(ages) _mm512_cvtepu16_epi32(ages)
#define EVERY(x) _mm512_set1_epi32((int32_t)(x))
#define LESSER _mm512_min_epu32
#define PRODUCT _mm512_mullo_epi32
#define SUM _mm512_add_epi32
#define IS_LESS _mm512_mask_cmplt_epu32_mask
#include "wave/laplace_avx512.inc"

#define NAME(x) x##_double_avx512
#define REAL double
#define TARGET AVX512_TARGET
#define VECTOR __m512d
#define MASK __mmask8
#define DO(x) _mm512_##x##_pd
#define COMPARE _mm512_mask_cmp_pd_mask
#define AGES __m128i
#define DO_AGES(x) _mm_##x##_epi16
#define SMALLEST DBL_MIN
#define NONE(ages) _mm_testn_epi16_mask(ages, ages)
#define NONE_OF(of, ages) _mm_mask_testn_epi16_mask(of, ages, ages)
#define LOAD_AGES(from) _mm_loadu_si128((const __m128i *)(from))
#define STORE_AGES(to, ages) _mm_storeu_si128((__m128i *)(to), ages)
#define BITS_OF(v) _mm512_srli_epi64(_mm512_castpd_si512(v), 32)
#define SIGNS(v) _mm512_movepi64_mask(_mm512_castpd_si512(v))
#define WIDEN(ages) _mm512_cvtepu16_epi64(ages)
#define EVERY(x) _mm512_set1_epi64((int64_t)(x))
#define LESSER _mm512_min_epu64
#define PRODUCT _mm512_mul_epu32
#define SUM _mm512_add_epi64
#define IS_LESS _mm512_mask_cmplt_epu64_mask
#include "wave/laplace_avx512.inc"
#endif

void laplace_set_level(struct laplace *laplace, enum kernel_level level)
{
    bool single = laplace->options.width == sizeof(float);
    laplace->take_tile = single ? take_tile_single : take_tile_double;
#ifdef __x86_64__
    if (level == LEVEL_AVX2)
        laplace->take_tile =
            single ? take_tile_single_avx2 : take_tile_double_avx2;
    if (level == LEVEL_AVX512)
        laplace->take_tile =
            single ? take_tile_single_avx512 : take_tile_double_avx512;
#endif
}
