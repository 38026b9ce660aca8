/* SPDX-License-Identifier: MIT */
/* The Laplace-weighted sum by its definition, cell by cell; it shares no line
 * with the loops of wave/laplace.h. */
#include "check_wave.h"

#include <float.h>
#include <math.h>

/* How far a sum must stand over the smallest number at the age when it was
 * first not 0, and over A when nothing is to come: docs/remedies.md. */
#define HEADROOM 0x1p10
#define CEILING 0x1p20
enum { LATE = 128 }; /* beyond it e^(p·late) may be no number */

struct numbers {
    double growth; /* e^p in the run's precision */
    double decay;  /* its logarithm */
    double ceiling, eta, smallest;
};

static struct numbers numbers_of(const struct law *law,
                                 const struct arrival_settings *settings)
{
    double growth = law_rounded(law, exp(settings->p));
    double most = law->single ? (double)FLT_MAX : DBL_MAX;
    double ceiling = law->amplitude / -expm1(-settings->p) *
                     fmax(CEILING, 2 / settings->eta);
    return (struct numbers){
        .growth = growth,
        .decay = log(growth),
        .ceiling = law_rounded(law, fmin(ceiling, most / (4 * growth))),
        .eta = law_rounded(law, settings->eta),
        .smallest = law->single ? (double)FLT_MIN : DBL_MIN,
    };
}

void weighted_begin(const struct law *law, struct weighted *weighted)
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++)
        weighted[i] = (struct weighted){ .lit = -1 };
}

static bool is_spoilt(const struct numbers *numbers, double sum, int64_t age,
                      int32_t lit)
{
    int64_t late = age - lit;
    double floor = numbers->smallest * HEADROOM;
    if (late < LATE)
        return sum < floor * exp(numbers->decay * (double)late);
    return log(sum) - numbers->decay * (double)age + numbers->decay * lit <
           log(floor);
}

static void add(const struct law *law, const struct numbers *numbers, double z,
                int64_t age, struct weighted *weighted)
{
    if (weighted->closed)
        return;
    weighted->sum =
        law_rounded(law, law_rounded(law, weighted->sum * numbers->growth) + z);
    if (weighted->sum != 0 && weighted->lit < 0)
        weighted->lit = (int32_t)age;
    weighted->closed = fabs(weighted->sum) > numbers->ceiling;
}

static bool holds(const struct law *law, const struct numbers *numbers,
                  double z, const struct weighted *weighted)
{
    return weighted->sum > 0 &&
           (weighted->closed ||
            fabs(z) <= law_rounded(law, numbers->eta * weighted->sum));
}

void weighted_take(const struct law *law,
                   const struct arrival_settings *settings, const uint8_t *wall,
                   const struct wave_row *row, int64_t age,
                   struct arrivals *arrivals)
{
    const struct numbers numbers = numbers_of(law, settings);
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        struct weighted *weighted = &arrivals->weighted[i];
        if (wall[i]) { /* what it was is forgotten */
            *weighted = (struct weighted){ .lit = -1 };
            arrivals->step[i] = -1;
            continue;
        }
        add(law, &numbers, row->now[i], age, weighted);
        if (age == 0 || arrivals->step[i] >= 0 || weighted->lost ||
            !holds(law, &numbers, row->now[i], weighted))
            continue;
        weighted->lost = is_spoilt(&numbers, weighted->sum, age, weighted->lit);
        if (!weighted->lost)
            arrivals->step[i] = (int32_t)row->step;
    }
}
