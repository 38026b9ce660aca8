/* SPDX-License-Identifier: MIT */
/* The loops of the Laplace-weighted wave: V ← V·e^p + z, a row at a time. */
#if defined __GNUC__ && !defined __clang__
/* Comparisons that may raise a flag keep gcc from making vectors of the loops
 * below. Nobody reads the flag; no value changes. */
#pragma GCC optimize("no-trapping-math")
#endif

#include "wave/laplace.h"

#include <math.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { BLOCK = LAPLACE_BLOCK };

/* What a block's cells are after a generation, a bit each. */
struct told {
    uint64_t lit, closed, held;
};

struct take_row {
    size_t nx, cell; /* the row's first */
    struct laplace_block *blocks;
};

static inline struct take_row row_at(const struct laplace *laplace, size_t row)
{
    size_t nx = (size_t)laplace->terrain->grid.nx;
    return (struct take_row){ nx, row * nx,
                              laplace->block + row * laplace->blocks };
}

/* Gives those cells of a block their age. */
static void note(int32_t *ages, uint64_t bits, int32_t age)
{
    for (; bits; bits &= bits - 1)
        ages[__builtin_ctzll(bits)] = age;
}

/* Arrivals, but for those whose sum was too small to hold: they are lost. */
static void arrive(struct laplace *laplace, size_t first, uint64_t bits)
{
    for (; bits; bits &= bits - 1) {
        size_t cell = first + (size_t)__builtin_ctzll(bits);
        laplace->step[cell] = laplace_is_spoilt(laplace, cell)
                                  ? LAPLACE_LOST
                                  : (int32_t)laplace->age;
    }
}

static void take_told(struct laplace *laplace, size_t first,
                      const struct told *told, struct laplace_block *block)
{
    const int32_t age = (int32_t)laplace->age;
    if (told->lit & ~block->lit)
        note(laplace->first + first, told->lit & ~block->lit, age);
    if (told->closed & ~block->closed)
        note(laplace->closed + first, told->closed & ~block->closed, age);
    block->lit |= told->lit;
    block->closed |= told->closed;
    if (age > 0 && told->held & ~block->arrived) {
        arrive(laplace, first, told->held & ~block->arrived);
        block->arrived |= told->held;
    }
}

/* Bytes of 0 or 1 as bits, the first lowest. */
static inline uint64_t bits_of(const uint8_t bytes[BLOCK])
{
    uint64_t bits = 0;
    for (int i = 0; i < BLOCK / 8; i++) {
        uint64_t eight;
        memcpy(&eight, bytes + 8 * i, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        eight = __builtin_bswap64(eight);
#endif
        bits |= eight * UINT64_C(0x0102040810204080) >> 56 << 8 * i;
    }
    return bits;
}

/* V ← V·e^p + z where V is not closed; then which are not 0, which are closed,
 * and in which the detector holds or is overtaken by the end of the sum. No
 * branch in the loop, so that compilers make vectors of it; in whole blocks
 * they know how long it is. */
#define DEFINE_TAKE(name, real, magnitude, machine)                            \
    machine static inline void name##_run(const struct laplace *laplace,       \
                                          size_t cell, const real *restrict z, \
                                          int count, struct told *told)        \
    {                                                                          \
        real *restrict sum = (real *)laplace->sum + cell;                      \
        const real growth = (real)laplace->growth;                             \
        const real ceiling = (real)laplace->ceiling;                           \
        const real eta = (real)laplace->options.eta;                           \
        uint8_t lit[BLOCK] = { 0 }, closed[BLOCK] = { 0 };                     \
        uint8_t held[BLOCK] = { 0 };                                           \
        for (int i = 0; i < count; i++) {                                      \
            real grown = sum[i] * growth + z[i];                               \
            real kept = magnitude(sum[i]) <= ceiling ? grown : sum[i];         \
            lit[i] = kept != 0;                                                \
            closed[i] = magnitude(kept) > ceiling;                             \
            held[i] = (kept > 0) &                                             \
                      ((magnitude(z[i]) <= eta * kept) | (kept > ceiling));    \
            sum[i] = kept;                                                     \
        }                                                                      \
        told->lit = bits_of(lit);                                              \
        told->closed = bits_of(closed);                                        \
        told->held = bits_of(held);                                            \
    }                                                                          \
    machine static void name(struct laplace *laplace, size_t row,              \
                             const void *z, size_t from, size_t to)            \
    {                                                                          \
        const struct take_row at = row_at(laplace, row);                       \
        for (size_t i = from; i <= to; i++) {                                  \
            size_t x = i * BLOCK;                                              \
            struct told told = { 0 };                                          \
            if (!~(at.blocks[i].closed | at.blocks[i].wall))                   \
                continue;                                                      \
            if (at.nx - x >= BLOCK)                                            \
                name##_run(laplace, at.cell + x, (const real *)z + x, BLOCK,   \
                           &told);                                             \
            else                                                               \
                name##_run(laplace, at.cell + x, (const real *)z + x,          \
                           (int)(at.nx - x), &told);                           \
            take_told(laplace, at.cell + x, &told, &at.blocks[i]);             \
        }                                                                      \
    }

DEFINE_TAKE(take_single, float, fabsf, )
DEFINE_TAKE(take_double, double, fabs, )

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2")))
DEFINE_TAKE(take_single_avx2, float, fabsf, AVX2)
DEFINE_TAKE(take_double_avx2, double, fabs, AVX2)

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

#define NAME(x) x##_single
#define REAL float
#define VECTOR __m512
#define MASK __mmask16
#define DO(x) _mm512_##x##_ps
#define COMPARE _mm512_mask_cmp_ps_mask
#define GATHER _mm512_mask_i32gather_ps
#define FLOOR floor_single
#define AGES __m512i
#define DO_AGES(x) _mm512_##x##_epi32
#define EARLIER _mm512_mask_cmplt_epu32_mask
#include "wave/laplace_avx512.inc"

#define NAME(x) x##_double
#define REAL double
#define VECTOR __m512d
#define MASK __mmask8
#define DO(x) _mm512_##x##_pd
#define COMPARE _mm512_mask_cmp_pd_mask
#define GATHER _mm512_mask_i32gather_pd
#define FLOOR floor
#define AGES __m256i
#define DO_AGES(x) _mm256_##x##_epi32
#define EARLIER _mm256_mask_cmplt_epu32_mask
#include "wave/laplace_avx512.inc"
#endif

void laplace_set_level(struct laplace *laplace, enum kernel_level level)
{
    bool single = laplace->options.width == sizeof(float);
    laplace->take_row = single ? take_single : take_double;
#ifdef __x86_64__
    if (level == LEVEL_AVX2)
        laplace->take_row = single ? take_single_avx2 : take_double_avx2;
    if (level == LEVEL_AVX512)
        laplace->take_row = single ? take_row_single : take_row_double;
#endif
}
