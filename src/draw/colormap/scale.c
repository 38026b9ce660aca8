/* SPDX-License-Identifier: MIT */
#include "draw/colormap/scale.h"

#include <math.h>

enum status scale_check(const struct scale *scale, struct error *error)
{
    if (!(scale->low < scale->high) || !isfinite(scale->high - scale->low))
        return error_set(error, STATUS_INPUT,
                         "a range of colours from %g to %g: the low end must "
                         "be below the high one, and both finite",
                         scale->low, scale->high);
    if (!(scale->linear_width >= 0) || !isfinite(scale->linear_width))
        return error_set(error, STATUS_INPUT,
                         "a linear width of %g: it must be above 0 and finite",
                         scale->linear_width);
    return STATUS_OK;
}

static double signed_log(double value, double width)
{
    double size = fabs(value) / width;
    return copysign(size <= 1 ? size : 1 + log(size), value);
}

static double signed_exp(double place, double width)
{
    double size = fabs(place);
    return copysign(width * (size <= 1 ? size : exp(size - 1)), place);
}

double scale_place(const struct scale *scale, double value)
{
    double low = scale->low, high = scale->high;
    value = value > high ? high : value < low ? low : value;
    if (scale->linear_width > 0) {
        low = signed_log(low, scale->linear_width);
        high = signed_log(high, scale->linear_width);
        value = signed_log(value, scale->linear_width);
    }
    return (value - low) / (high - low);
}

double scale_value(const struct scale *scale, double place)
{
    double low = scale->low, high = scale->high;
    if (!(scale->linear_width > 0))
        return low + place * (high - low);
    low = signed_log(low, scale->linear_width);
    high = signed_log(high, scale->linear_width);
    return signed_exp(low + place * (high - low), scale->linear_width);
}

int scale_level(const struct scale *scale, double value)
{
    double place = scale_place(scale, value);
    if (isnan(place))
        return -1;
    float gray = (float)(1 - place) * 255.0f;
    return 255 - (int)((double)gray + 0.5);
}

static void widen(double value, bool skip, double *low, double *high)
{
    if (skip || !isfinite(value))
        return;
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

void extremes_add(struct extremes *extremes, const double *values,
                  const unsigned char *skip, size_t count)
{
    double low = (double)INFINITY, high = (double)-INFINITY;
    size_t i = 0;
    /* Most values are within the extremes so far: test eight together. */
    for (; i + 8 <= count; i += 8) {
        int within = 1;
        for (size_t lane = 0; lane < 8; lane++)
            within &= (values[i + lane] >= low) & (values[i + lane] <= high);
        for (size_t lane = 0; lane < 8 && !within; lane++)
            widen(values[i + lane], skip && skip[i + lane], &low, &high);
    }
    for (; i < count; i++)
        widen(values[i], skip && skip[i], &low, &high);
    if (!(low <= high))
        return;
    if (!extremes->any)
        *extremes = (struct extremes){ true, low, high };
    extremes->low = fmin(low, extremes->low);
    extremes->high = fmax(high, extremes->high);
}

struct scale scale_over(const struct extremes *extremes, bool symmetric)
{
    struct scale scale = { extremes->low, extremes->high, 0 };
    if (!extremes->any)
        scale = (struct scale){ symmetric ? -1 : 0, 1, 0 };
    if (symmetric) {
        scale.high = fmax(fabs(scale.low), fabs(scale.high));
        scale.low = -scale.high;
    }
    if (scale.low < scale.high)
        return scale;
    double room = scale.low == 0 ? 1 : fabs(scale.low);
    scale.high = scale.low + room;
    scale.low = symmetric ? -scale.high : scale.low - room;
    return scale;
}
