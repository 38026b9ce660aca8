/* SPDX-License-Identifier: MIT */
#include "wave/kernel.h"

#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* One text, a version for each precision and vector unit. The unit is chosen
 * once, by the machine the program runs on, when a medium is made. */
#define REAL float
#define BITS uint32_t
#define NAME(x) x##_single
#define TARGET
#include "wave/kernel.inc"
#undef REAL
#undef BITS
#undef NAME
#define REAL double
#define BITS uint64_t
#define NAME(x) x##_double
#include "wave/kernel.inc"
#undef REAL
#undef BITS
#undef NAME
#undef TARGET

#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2")))
#define REAL float
#define BITS uint32_t
#define NAME(x) x##_single_avx2
#include "wave/kernel.inc"
#undef REAL
#undef BITS
#undef NAME
#define REAL double
#define BITS uint64_t
#define NAME(x) x##_double_avx2
#include "wave/kernel.inc"
#undef REAL
#undef BITS
#undef NAME
#undef TARGET

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define REAL float
#define BITS uint32_t
#define NAME(x) x##_single_avx512
#include "wave/kernel.inc"
#undef REAL
#undef BITS
#undef NAME
#define REAL double
#define BITS uint64_t
#define NAME(x) x##_double_avx512
#include "wave/kernel.inc"
#undef REAL
#undef BITS
#undef NAME
#undef TARGET

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
