/* SPDX-License-Identifier: MIT */
/* The clock of the measurements, and the median of the results. */
#ifndef HAMON_BENCH_CLOCK_H
#define HAMON_BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

/* CLOCK_MONOTONIC: wall-clock time; CLOCK_THREAD_CPUTIME_ID: the thread's
 * processor time. */
static inline double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int clock_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values; count ≥ 1. */
static inline double clock_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, clock_ascending);
    return values[count / 2];
}

#endif
