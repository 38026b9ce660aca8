/* SPDX-License-Identifier: MIT */
/* The colour of each value. One scale is used for all frames of a call, so that
 * a colour has the same meaning in each of them. */
#ifndef HAMON_DRAW_COLORMAP_SCALE_H
#define HAMON_DRAW_COLORMAP_SCALE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct scale {
    double low, high; /* low < high: the first and the last colour */
    /* 0: linear. Else the signed logarithm, linear within ± this width: s(v) =
     * v/w for |v| ≤ w, sign(v)·(1 + ln(|v|/w)) beyond; its slope is continuous,
     * and a decade is 2.3 times as long as 0 … w. */
    double linear_width;
};

/* STATUS_INPUT unless low < high, both finite with a finite difference, and
 * linear_width ≥ 0. */
enum status scale_check(const struct scale *scale, struct error *error);

/* The position of a value between low (0) and high (1), clamped to these; NaN
 * for NaN. scale_value is the inverse. */
double scale_place(const struct scale *scale, double value);
double scale_value(const struct scale *scale, double place);

/* The colour's number, 0 … 255, or −1 for NaN. Rounded as h5topng rounds its
 * gray in 24 bits, 255 − ⌊f(f(1 − place)·255) + ½⌋ with f the rounding to
 * single precision, so that the gray map gives that program's pixels. */
int scale_level(const struct scale *scale, double value);

/* The extremes of the painted values. */
struct extremes {
    bool any;
    double low, high;
};

/* Widens the extremes by the finite ones of `count` values; those with skip[i]
 * ≠ 0 (walls; NULL: none) are skipped. */
void extremes_add(struct extremes *extremes, const double *values,
                  const unsigned char *skip, size_t count);

/* A linear scale over the extremes; `symmetric`: about zero. If they are equal,
 * or there is no value, the scale is widened round the value. */
struct scale scale_over(const struct extremes *extremes, bool symmetric);

#endif
