/* SPDX-License-Identifier: MIT */
#include "metrics/wilcoxon.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdlib.h>

enum { EXACT_BELOW = 50, RANK_SUMS = EXACT_BELOW * (EXACT_BELOW - 1) / 2 + 1 };

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

/* Of sorted differences; also the sum of t³ − t over the groups of equal
 * sizes. */
static double sum_ranks(const double *sorted, size_t n, double *v)
{
    double ties = 0;
    *v = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && fabs(sorted[end]) == fabs(sorted[i]); end++)
            ;
        double equal = (double)(end - i);
        double rank = (double)(i + 1 + end) / 2;
        for (size_t k = i; k < end; k++)
            *v += sorted[k] > 0 ? rank : 0;
        ties += equal * equal * equal - equal;
    }
    return ties;
}

/* The probability that the sum of the positive ranks is at most v. */
static double chance_up_to(size_t n, size_t v)
{
    double choices[RANK_SUMS] = { 1 }, sum = 0;
    for (size_t rank = 1, most = 0; rank <= n; rank++) {
        most += rank;
        for (size_t s = most; s >= rank; s--)
            choices[s] += choices[s - rank];
    }
    for (size_t s = 0; s <= v; s++)
        sum += choices[s];
    return ldexp(sum, -(int)n);
}

/* The distribution is symmetric. */
static double exact_p(size_t n, double v)
{
    double all = (double)n * ((double)n + 1) / 2;
    return fmin(1, 2 * chance_up_to(n, (size_t)fmin(v, all - v)));
}

static double normal_p(size_t n, double v, double ties)
{
    double m = (double)n, apart = fabs(v - m * (m + 1) / 4);
    double sigma = sqrt(m * (m + 1) * (2 * m + 1) / 24 - ties / 48);
    double z = apart > 0 ? (apart - .5) / sigma : 0;
    return erfc(fabs(z) / sqrt(2));
}

struct wilcoxon wilcoxon_make(const double *differences, size_t count)
{
    struct wilcoxon wilcoxon = { .v = 0, .p = NAN };
    double *sorted = need_memory(count, sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (differences[i] != 0)
            sorted[n++] = differences[i];
    qsort(sorted, n, sizeof *sorted, by_size);
    double ties = sum_ranks(sorted, n, &wilcoxon.v);
    wilcoxon.n = n;
    wilcoxon.exact = n < EXACT_BELOW && n == count && ties == 0;
    if (n > 0)
        wilcoxon.p = wilcoxon.exact ? exact_p(n, wilcoxon.v)
                                    : normal_p(n, wilcoxon.v, ties);
    memory_release(sorted);
    return wilcoxon;
}
