/* SPDX-License-Identifier: MIT */
#include "draw/colormap/levels.h"

#include <math.h>
#include <string.h>

/* Doubles as integers in the same order, and the reverse. */
static uint64_t order_of(double value)
{
    uint64_t bits, sign = UINT64_C(1) << 63;
    memcpy(&bits, &value, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static double value_of(uint64_t order)
{
    uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits = order & sign ? order ^ sign : ~order;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool reaches(const struct scale *scale, uint64_t order, int k)
{
    return scale_level(scale, value_of(order)) >= k;
}

/* The minimum value of level k ≥ 1: steps of growing size from a guess find two
 * values around it, then bisection. */
static double find_start(const struct scale *scale, int k)
{
    uint64_t least = order_of(scale->low), most = order_of(scale->high);
    uint64_t guess =
        order_of(scale_value(scale, (k - .5) / (COLORMAP_SIZE - 1)));
    guess = guess < least ? least : guess > most ? most : guess;
    uint64_t below = guess, above = guess;
    for (uint64_t step = 4; reaches(scale, below, k); step *= 2)
        below = below - least > step ? below - step : least;
    for (uint64_t step = 4; !reaches(scale, above, k); step *= 2)
        above = most - above > step ? above + step : most;
    while (above - below > 1) {
        uint64_t middle = below + (above - below) / 2;
        if (reaches(scale, middle, k))
            above = middle;
        else
            below = middle;
    }
    return value_of(above);
}

static float single_of(uint32_t start)
{
    uint32_t bits = start << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int search(const struct levels *levels, double value, int k)
{
    while (value >= levels->from[k + 1])
        k++;
    while (value < levels->from[k])
        k--;
    return k;
}

void levels_make(const struct scale *scale, struct levels *levels)
{
    levels->from[0] = (double)-INFINITY;
    for (int k = 1; k < COLORMAP_SIZE; k++)
        levels->from[k] = find_start(scale, k);
    levels->from[COLORMAP_SIZE] = (double)NAN;
    int up = search(levels, 0, 0), down = up;
    for (uint32_t i = 0; i < LEVELS_STARTS / 2; i++) {
        up = search(levels, (double)single_of(i), up);
        down = search(levels, (double)single_of(i | LEVELS_STARTS / 2), down);
        levels->start[i] = (uint8_t)up;
        levels->start[i | LEVELS_STARTS / 2] = (uint8_t)down;
    }
}

bool levels_of(const struct levels *levels, const double *values, size_t count,
               uint8_t *numbers)
{
    bool missing = false;
    for (size_t i = 0; i < count; i++) {
        float single = (float)values[i];
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        numbers[i] =
            (uint8_t)search(levels, values[i], levels->start[bits >> 16]);
        missing |= isnan(values[i]);
    }
    for (size_t i = 0; i < count && missing; i++)
        if (isnan(values[i]))
            numbers[i] = 0;
    return missing;
}
