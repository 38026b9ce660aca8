/* SPDX-License-Identifier: MIT */
#include "wave/step/kernel.h"

#include <stdlib.h>
#include <string.h>

/* One text, a version for each precision and vector unit, in vectors of the
 * compilers' language. The unit is chosen once, by the machine that the program
 * runs on, when a medium is made. */
#define TEXT "wave/step/kernel.inc"
#include "wave/step/kernel_units.inc"

/* HAMON_VECTORS=16, 32 or 64 in the environment: no vectors of more bytes, so
 * that tests and measurements can have every level on one machine. */
static enum kernel_level level_allowed(void)
{
    const char *bytes = getenv("HAMON_VECTORS");
    if (bytes && strcmp(bytes, "16") == 0)
        return LEVEL_PLAIN;
    if (bytes && strcmp(bytes, "32") == 0)
        return LEVEL_AVX2;
    return LEVEL_AVX512;
}

static enum kernel_level level_of_machine(void)
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

enum kernel_level kernel_best(void)
{
    const enum kernel_level has = level_of_machine(), may = level_allowed();
    return has < may ? has : may;
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
