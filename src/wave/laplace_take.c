/* SPDX-License-Identifier: MIT */
/* The loops of the Laplace-weighted wave: V ← V·e^p + z, a vector at a time. */
#if defined __GNUC__ && !defined __clang__
/* Comparisons that may raise a flag keep gcc from making vectors of the loops
 * below. Nobody reads the flag; no value changes. */
#pragma GCC optimize("no-trapping-math")
#endif

#include "wave/laplace_tiles.h"

#include <float.h>
#include <math.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { LINE = 64, AHEAD = 8 /* vectors that are asked for early */ };

/* The newest generation, of `age`, into a vector's cells, and before it at odd
 * ages, if both are to be taken, the older one; then which cells are lit,
 * closed, and arrived. No branch in the loop, so that compilers make vectors of
 * it. True: some cell is open still. */
#define DEFINE_TAKE(name, real, smallest, bits_of, magnitude, machine)         \
    machine static inline bool name##_vector(                                  \
        const struct laplace *laplace, ptrdiff_t at,                           \
        const real *restrict older, const real *restrict newest, int count)    \
    {                                                                          \
        real *restrict sum = (real *)laplace->sum + at;                        \
        uint16_t *restrict first = laplace->first + at;                        \
        uint16_t *restrict closed = laplace->closed + at;                      \
        uint16_t *restrict arrived = laplace->arrived + at;                    \
        const real growth = (real)laplace->growth;                             \
        const real ceiling = (real)laplace->ceiling;                           \
        const real eta = (real)laplace->options.eta;                           \
        const uint32_t floor = laplace->floor, rate = laplace->floor_rate;     \
        const uint32_t late_most = laplace->late_most;                         \
        const uint32_t age = (uint32_t)laplace->age, even = (age & ~1u) + 1;   \
        uint32_t open = 0;                                                     \
        for (int i = 0; i < LINE / (int)sizeof(real); i++) {                   \
            const bool goes_on = closed[i] == 0;                               \
            real kept = sum[i];                                                \
            uint32_t lit = first[i], shut = closed[i], came = arrived[i];      \
            for (int j = 2 - count; j < 2; j++) {                              \
                const real z = j ? newest[i] : older[i];                       \
                const uint32_t now = age + (uint32_t)j; /* plus 1 */           \
                const real grown = kept * growth + z;                          \
                kept = goes_on ? grown : kept;                                 \
                const bool comes = (lit == 0) & (kept != 0);                   \
                lit = comes ? even : lit;                                      \
                const bool over =                                              \
                    goes_on & (now != even) & (magnitude(kept) > ceiling);     \
                shut = over ? now : shut;                                      \
                const real bound = over ? kept : eta * kept;                   \
                const real least = now == 1 ? (real)INFINITY : smallest;       \
                const real size = magnitude(z);                                \
                const bool held = goes_on & (came == 0) &                      \
                                  ((size < least ? least : size) <= bound);    \
                uint32_t late = now - lit;                                     \
                late = late < late_most ? late : late_most;                    \
                const bool spoilt = bits_of(kept) < floor + late * rate;       \
                came = held ? spoilt ? LAPLACE_NEVER : now : came;             \
            }                                                                  \
            sum[i] = kept;                                                     \
            first[i] = (uint16_t)lit;                                          \
            closed[i] = (uint16_t)shut;                                        \
            arrived[i] = (uint16_t)came;                                       \
            open |= shut == 0;                                                 \
        }                                                                      \
        return open;                                                           \
    }                                                                          \
    machine static inline bool name##_is_dark(const real *older,               \
                                              const real *newest)              \
    {                                                                          \
        int any = 0;                                                           \
        for (int i = 0; i < LINE / (int)sizeof(real); i++)                     \
            any |= (older[i] != 0) | (newest[i] != 0);                         \
        return !any;                                                           \
    }                                                                          \
    machine static inline void name##_tile(                                    \
        const struct laplace *laplace, struct laplace_tile *tile,              \
        const real *older, const real *newest, int count)                      \
    {                                                                          \
        const int lanes = LINE / (int)sizeof(real);                            \
        int32_t *open = tile->list + tile->size - 1;                           \
        int kept = 0;                                                          \
        for (int i = 0; i < tile->dark;) {                                     \
            int32_t vector = tile->list[i];                                    \
            ptrdiff_t at = (ptrdiff_t)vector * lanes;                          \
            if (name##_is_dark(older + at, newest + at)) {                     \
                i++;                                                           \
            } else {                                                           \
                tile->list[i] = tile->list[--tile->dark];                      \
                open[-tile->open++] = vector;                                  \
            }                                                                  \
        }                                                                      \
        for (int i = 0; i < tile->open; i++) {                                 \
            int32_t vector = open[-i];                                         \
            ptrdiff_t at = (ptrdiff_t)vector * lanes;                          \
            open[-kept] = vector;                                              \
            kept +=                                                            \
                name##_vector(laplace, at, older + at, newest + at, count);    \
        }                                                                      \
        tile->open = kept;                                                     \
    }                                                                          \
    machine static void name(struct laplace *laplace,                          \
                             struct laplace_tile *tile,                        \
                             const void *const z[2], int count)                \
    {                                                                          \
        if (count == 2)                                                        \
            name##_tile(laplace, tile, z[0], z[1], 2);                         \
        else                                                                   \
            name##_tile(laplace, tile, z[0], z[0], 1);                         \
    }

DEFINE_TAKE(take_single, float, FLT_MIN, laplace_bits_single, fabsf, )
DEFINE_TAKE(take_double, double, DBL_MIN, laplace_bits_double, fabs, )

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2")))
DEFINE_TAKE(take_single_avx2, float, FLT_MIN, laplace_bits_single, fabsf, AVX2)
DEFINE_TAKE(take_double_avx2, double, DBL_MIN, laplace_bits_double, fabs, AVX2)

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

#define NAME(x) x##_single
#define REAL float
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
#define WIDEN(ages) _mm512_cvtepu16_epi32(ages)
#define EVERY(x) _mm512_set1_epi32((int32_t)(x))
#define LESSER _mm512_min_epu32
#define PRODUCT _mm512_mullo_epi32
#define SUM _mm512_add_epi32
#define IS_LESS _mm512_mask_cmplt_epu32_mask
#include "wave/laplace_avx512.inc"

#define NAME(x) x##_double
#define REAL double
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
    laplace->take_tile = single ? take_single : take_double;
#ifdef __x86_64__
    if (level == LEVEL_AVX2)
        laplace->take_tile = single ? take_single_avx2 : take_double_avx2;
    if (level == LEVEL_AVX512)
        laplace->take_tile = single ? take_tile_single : take_tile_double;
#endif
}
