/* SPDX-License-Identifier: MIT */
#include "wave/kernel.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include "wave/kernel_avx512.h"
#endif

/* Numbers `first` … of two vectors side by side. */
#define JOIN_2(low, high, first)                                               \
    __builtin_shufflevector(low, high, first, first + 1)
#define JOIN_4(low, high, first)                                               \
    __builtin_shufflevector(low, high, first, first + 1, first + 2, first + 3)
#define JOIN_8(low, high, first)                                               \
    __builtin_shufflevector(low, high, first, first + 1, first + 2, first + 3, \
                            first + 4, first + 5, first + 6, first + 7)

/* One text, a version for each precision and vector unit: vectors of the
 * compilers' language of VECTOR bytes. The unit is chosen once, by the machine
 * the program runs on, when a medium is made. */
#define VECTOR 16
#define TARGET
#define REAL float
#define BITS int32_t
#define NAME(x) x##_single
#define JOIN JOIN_4
#include "wave/kernel.inc"
#undef JOIN
#undef REAL
#undef BITS
#undef NAME
#define REAL double
#define BITS int64_t
#define NAME(x) x##_double
#define JOIN JOIN_2
#include "wave/kernel.inc"
#undef JOIN
#undef REAL
#undef BITS
#undef NAME
#undef TARGET
#undef VECTOR

#if defined(__x86_64__)

#define VECTOR 32
#define TARGET __attribute__((target("avx2")))
#define REAL float
#define BITS int32_t
#define NAME(x) x##_single_avx2
#define JOIN JOIN_8
#include "wave/kernel.inc"
#undef JOIN
#undef REAL
#undef BITS
#undef NAME
#define REAL double
#define BITS int64_t
#define NAME(x) x##_double_avx2
#define JOIN JOIN_4
#include "wave/kernel.inc"
#undef JOIN
#undef REAL
#undef BITS
#undef NAME
#undef TARGET
#undef VECTOR

/* 64 bytes: masks have registers of their own, and neighbours come from the
 * lines that are loaded already rather than across two lines. */
#define VECTOR 64
#define TARGET AVX512_TARGET
#define REAL float
#define BITS int32_t
#define NAME(x) x##_single_avx512
#define CHOOSE AVX512_CHOOSE_SINGLE
#define JOIN AVX512_JOIN_SINGLE
#include "wave/kernel.inc"
#undef REAL
#undef BITS
#undef NAME
#undef CHOOSE
#undef JOIN
#define REAL double
#define BITS int64_t
#define NAME(x) x##_double_avx512
#define CHOOSE AVX512_CHOOSE_DOUBLE
#define JOIN AVX512_JOIN_DOUBLE
#include "wave/kernel.inc"
#undef REAL
#undef BITS
#undef NAME
#undef CHOOSE
#undef JOIN
#undef TARGET
#undef VECTOR

#define EACH_LEVEL(table, precision)                                           \
    {                                                                          \
        table##_##precision, table##_##precision##_avx2,                       \
            table##_##precision##_avx512                                       \
    }

#else

#define EACH_LEVEL(table, precision)                                           \
    {                                                                          \
        table##_##precision, table##_##precision, table##_##precision          \
    }

#endif

enum kernel_level kernel_best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return LEVEL_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return LEVEL_AVX2;
#endif
    return LEVEL_PLAIN;
}

kernel_sweep kernel_find_sweep(enum kernel_level level, size_t item,
                               enum kernel_shape shape, enum kernel_form form,
                               bool select)
{
    static const kernel_sweep(*const single[LEVELS])[FORMS][2] =
        EACH_LEVEL(sweeps, single);
    static const kernel_sweep(*const twice[LEVELS])[FORMS][2] =
        EACH_LEVEL(sweeps, double);
    return (item == sizeof(float) ? single : twice)[level][shape][form][select];
}

kernel_slope kernel_find_slope(enum kernel_level level, size_t item,
                               enum kernel_shape shape, bool select)
{
    static const kernel_slope(*const single[LEVELS])[2] =
        EACH_LEVEL(slopes, single);
    static const kernel_slope(*const twice[LEVELS])[2] =
        EACH_LEVEL(slopes, double);
    return (item == sizeof(float) ? single : twice)[level][shape][select];
}
