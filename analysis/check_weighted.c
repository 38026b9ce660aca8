/* SPDX-License-Identifier: MIT */
/* The Laplace-weighted sum by its definition, cell by cell; it shares no line
 * with the loops of wave/laplace.h. */
#include "check_wave.h"

#include <float.h>
#include <math.h>

/* How far a sum must stand over the smallest number at the age when it was
 * first not 0, and over A when nothing is to come: docs/remedies.md. */
enum { HEADROOM = 9 }; /* log2 */
#define CEILING 0x1p16

/* How far the two p of the heading arrival-time are from p. */
#define SPREAD 0.125

struct numbers {
    double growth; /* e^p in the run's precision */
    double decay;  /* its logarithm */
    double ceiling, eta;
    double smallest;  /* log2 of it */
    double logarithm; /* the least step of a logarithm told by bits */
};

static struct numbers numbers_of(const struct law *law,
                                 const struct arrival_settings *settings,
                                 double p)
{
    double growth = law_rounded(law, exp(p));
    double most = law->single ? (double)FLT_MAX : DBL_MAX;
    double ceiling =
        law->amplitude / -expm1(-p) * fmax(CEILING, 2 / settings->eta);
    return (struct numbers){
        .growth = growth,
        .decay = log(growth),
        .ceiling =
            law_rounded(law, fmin(ceiling, most / (4 * growth * growth))),
        .eta = law_rounded(law, settings->eta),
        .smallest = (law->single ? FLT_MIN_EXP : DBL_MIN_EXP) - 1,
        .logarithm = law->single ? 0x1p-23 : 0x1p-20,
    };
}

static void forget(struct weighted weighted[2])
{
    weighted[0] = weighted[1] = (struct weighted){ .lit = -1 };
}

void weighted_begin(const struct law *law, struct weighted (*weighted)[2])
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++)
        forget(weighted[i]);
}

/* log2 as the upper bits of a number have it: linear between powers of 2. */
static double log2_told(const struct numbers *numbers, double number)
{
    int exponent;
    double mantissa = 2 * frexp(number, &exponent);
    return exponent - 1 +
           floor((mantissa - 1) / numbers->logarithm) * numbers->logarithm;
}

static bool is_spoilt(const struct numbers *numbers, double sum, int64_t age,
                      int32_t lit)
{
    double rate =
        rint(numbers->decay / log(2) / numbers->logarithm) * numbers->logarithm;
    return log2_told(numbers, sum) <
           numbers->smallest + HEADROOM + (double)(age - lit) * rate;
}

static void add(const struct law *law, const struct numbers *numbers, double z,
                int64_t age, struct weighted *weighted)
{
    if (weighted->closed)
        return;
    weighted->sum =
        law_rounded(law, law_rounded(law, weighted->sum * numbers->growth) + z);
    if (weighted->sum != 0 && weighted->lit < 0)
        weighted->lit = (int32_t)(age / 2 * 2);
    weighted->closed = age % 2 && fabs(weighted->sum) > numbers->ceiling;
}

static bool holds(const struct law *law, const struct numbers *numbers,
                  double z, const struct weighted *weighted)
{
    return weighted->sum > 0 &&
           (weighted->closed ||
            fabs(z) <= law_rounded(law, numbers->eta * weighted->sum));
}

/* One of a cell's sums; true when the detector has held for it. */
static bool take(const struct law *law, const struct numbers *numbers, double z,
                 int64_t age, struct weighted *weighted)
{
    add(law, numbers, z, age, weighted);
    if (age > 0 && !weighted->held && holds(law, numbers, z, weighted)) {
        weighted->held = true;
        weighted->lost = is_spoilt(numbers, weighted->sum, age, weighted->lit);
    }
    return weighted->held;
}

void weighted_take(const struct law *law,
                   const struct arrival_settings *settings, const uint8_t *wall,
                   const struct wave_row *row, int64_t age,
                   struct arrivals *arrivals)
{
    const bool two = settings->heading == HEADING_ARRIVAL_TIME;
    const struct numbers numbers[2] = {
        numbers_of(law, settings, settings->p * (two ? 1 + SPREAD : 1)),
        numbers_of(law, settings, settings->p * (two ? 1 - SPREAD : 1)),
    };
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        struct weighted *weighted = arrivals->weighted[i];
        if (wall[i]) { /* what it was is forgotten */
            forget(weighted);
            arrivals->step[i] = -1;
            continue;
        }
        bool held = true, lost = false;
        for (int j = 0; j < 1 + two; j++) {
            held &= take(law, &numbers[j], row->now[i], age, &weighted[j]);
            lost |= weighted[j].lost;
        }
        if (held && !lost && arrivals->step[i] < 0)
            arrivals->step[i] = (int32_t)row->step;
    }
}
