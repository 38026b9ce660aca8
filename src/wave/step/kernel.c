/* SPDX-License-Identifier: MIT */
#include "wave/step/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One source text, compiled for each precision and vector unit with the
 * compilers' vector types. The unit is chosen when a medium is made, by the
 * machine that the program runs on. */
#define TEXT "wave/step/kernel.inc"
#define VECTOR 16
#define ITEM 4
#include "wave/step/unit.inc"
#define VECTOR 16
#define ITEM 8
#include "wave/step/unit.inc"
#define VECTOR 32
#define ITEM 4
#include "wave/step/unit.inc"
#define VECTOR 32
#define ITEM 8
#include "wave/step/unit.inc"
#define VECTOR 64
#define ITEM 4
#include "wave/step/unit.inc"
#define VECTOR 64
#define ITEM 8
#include "wave/step/unit.inc"

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

/* The level with this name; LEVELS: there is none. */
static enum kernel_level level_named(const char *bytes)
{
    static const char *const names[LEVELS] = { "16", "32", "64" };
    enum kernel_level level = LEVEL_PLAIN;
    while (level < LEVELS && strcmp(bytes, names[level]) != 0)
        level++;
    return level;
}

enum kernel_level kernel_best(void)
{
    const char *asked = getenv("HAMON_VECTORS");
    const enum kernel_level best = level_of_machine();
    const enum kernel_level level = asked ? level_named(asked) : best;
    return level <= best ? level : best;
}

enum status kernel_check(struct error *error)
{
    const char *asked = getenv("HAMON_VECTORS");
    if (!asked)
        return STATUS_OK;
    const enum kernel_level level = level_named(asked);
    if (level == LEVELS)
        return error_set(error, STATUS_INPUT,
                         "HAMON_VECTORS=%s: vectors have 16, 32 or 64 bytes",
                         asked);
    const int most = 16 << level_of_machine();
    if (level > level_of_machine())
        return error_set(error, STATUS_INPUT,
                         "HAMON_VECTORS=%s: this processor has vectors of at "
                         "most %d bytes: take %d, or unset it",
                         asked, most, most);
    return STATUS_OK;
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

kernel_mark kernel_find_mark(enum kernel_level level, size_t item)
{
    static const kernel_mark single[LEVELS] = EACH_LEVEL(mark, single);
    static const kernel_mark twice[LEVELS] = EACH_LEVEL(mark, double);
    return (item == sizeof(float) ? single : twice)[level];
}
