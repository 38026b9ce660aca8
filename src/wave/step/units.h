/* SPDX-License-Identifier: MIT */
/* Private to the wave: the vector units for which unit.inc compiles a text. */
#ifndef HAMON_WAVE_STEP_UNITS_H
#define HAMON_WAVE_STEP_UNITS_H

#if defined(__x86_64__)
#include "wave/step/avx512.h"
#endif
/* A static analyser reads the text for one unit only: the others are the
 * same. */
#if defined(__x86_64__) && !defined(HAMON_ANALYSE)
#define UNITS_X86
#endif

#define JOIN_2(low, high, first)                                               \
    __builtin_shufflevector(low, high, first, first + 1)
#define JOIN_4(low, high, first)                                               \
    __builtin_shufflevector(low, high, first, first + 1, first + 2, first + 3)
#define JOIN_8(low, high, first)                                               \
    __builtin_shufflevector(low, high, first, first + 1, first + 2, first + 3, \
                            first + 4, first + 5, first + 6, first + 7)

/* The tables of a precision (single or double) that a text defines as
 * NAME(table), by kernel_level. */
#ifdef UNITS_X86
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

#endif
