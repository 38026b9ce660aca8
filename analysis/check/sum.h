/* SPDX-License-Identifier: MIT */
/* A compensated sum (Neumaier 1974): the results are smaller than the rounding
 * errors of plain additions. */
#ifndef HAMON_ANALYSIS_CHECK_SUM_H
#define HAMON_ANALYSIS_CHECK_SUM_H

#include <math.h>

struct sum {
    double whole, lost;
};

static inline void sum_add(struct sum *sum, double term)
{
    double whole = sum->whole + term;
    sum->lost += fabs(sum->whole) >= fabs(term) ? (sum->whole - whole) + term
                                                : (term - whole) + sum->whole;
    sum->whole = whole;
}

static inline double sum_total(const struct sum *sum)
{
    return sum->whole + sum->lost;
}

#endif
