/* SPDX-License-Identifier: MIT */
#include "wave/arrival.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* first-peak passes over what rounding alone can make of a wave. */
#define PEAK_FLOOR 1e-13

const char *const heading_rule_names[] = {
    [HEADING_SIGNED] = "signed",       [HEADING_PAPER] = "paper",
    [HEADING_FLUX] = "flux",           [HEADING_ARRIVAL_TIME] = "arrival-time",
    [HEADING_ARRIVAL_TIME + 1] = NULL,
};

bool heading_unit(const double direction[GRID_AXES], double heading[GRID_AXES])
{
    /* By the largest component first: the square of 2^-600 is 0, of 2^600 ∞. */
    double largest = 0, squares = 0;
    bool finite = true;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        finite = finite && isfinite(direction[axis]);
        largest = fmax(largest, fabs(direction[axis]));
        heading[axis] = 0;
    }
    if (!finite || !(largest > 0))
        return false;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        heading[axis] = direction[axis] / largest;
        squares += heading[axis] * heading[axis];
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        heading[axis] /= sqrt(squares);
    return true;
}

static double threshold_level(const struct arrival_settings *settings,
                              double amplitude, int64_t age)
{
    return settings->threshold * amplitude;
}

/* Follows the front down as it loses amplitude, so that what crosses the level
 * is the front and not a later reflection of it. */
static double capped_level(const struct arrival_settings *settings,
                           double amplitude, int64_t age)
{
    return amplitude * fmin(settings->cap, exp(-settings->beta * (double)age));
}

static double edge_level(const struct arrival_settings *settings,
                         double amplitude, int64_t age)
{
    return 0;
}

/* A level that underflowed to 0 still asks for a wave: > 0 beside ≥ level,
 * which a NaN fails as well. */
static bool reaches(double z, double level)
{
    return fabs(z) > 0 && fabs(z) >= level;
}

static bool threshold_holds(const struct arrival_settings *settings,
                            const struct detector_sample *sample)
{
    return reaches(sample->now,
                   threshold_level(settings, sample->amplitude, sample->age));
}

static bool capped_holds(const struct arrival_settings *settings,
                         const struct detector_sample *sample)
{
    return reaches(sample->now,
                   capped_level(settings, sample->amplitude, sample->age));
}

static bool edge_holds(const struct arrival_settings *settings,
                       const struct detector_sample *sample)
{
    return reaches(sample->now, 0);
}

/* The generation after the first maximum of |∂z/∂t|: the first at which the
 * rate has fallen from above the floor. */
static bool peak_holds(const struct arrival_settings *settings,
                       const struct detector_sample *sample)
{
    double rate = fabs(sample->now - sample->before);
    double rate_before = fabs(sample->before - sample->earlier);
    return rate_before >= PEAK_FLOOR * sample->amplitude && rate < rate_before;
}

bool laplace_holds(double sum, double y, double eta)
{
    return sum > 0 && fabs(y) <= eta * sum;
}

static const struct detector threshold = { "threshold", threshold_holds,
                                           threshold_level };
static const struct detector capped_exponential = { "capped-exponential",
                                                    capped_holds,
                                                    capped_level };
static const struct detector leading_edge = { "leading-edge", edge_holds,
                                              edge_level };
static const struct detector first_peak = { "first-peak", peak_holds, NULL };
const struct detector detector_laplace = { "laplace", NULL, NULL };
const struct detector detector_laplace_front = { "laplace-front", NULL, NULL };

const struct detector *const detectors[] = {
    &threshold,        &capped_exponential,     &leading_edge, &first_peak,
    &detector_laplace, &detector_laplace_front, NULL,
};

const struct arrival_settings arrival_defaults = {
    .detector = &threshold,
    .heading = HEADING_PAPER,
    .threshold = ARRIVAL_THRESHOLD,
    .cap = ARRIVAL_CAP,
    .beta = ARRIVAL_BETA,
    .p = ARRIVAL_P,
    .eta = ARRIVAL_ETA,
};

const struct detector *detector_find(const char *name)
{
    for (const struct detector *const *row = detectors; *row; row++)
        if (!strcmp((*row)->name, name))
            return *row;
    return NULL;
}
