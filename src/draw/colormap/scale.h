/* SPDX-License-Identifier: MIT */
/* Which value takes which colour. One scale serves all frames of a call, so
 * that a colour means the same in each of them. */
#ifndef HAMON_DRAW_COLORMAP_SCALE_H
#define HAMON_DRAW_COLORMAP_SCALE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct scale {
    double low, high; /* low < high: the first and the last colour */
    /* 0: linear. Else the signed logarithm, linear within ± this width:
     * s(v) = v/w for |v| ≤ w, sign(v)·(1 + ln(|v|/w)) beyond; its slope is
     * continuous and a decade takes 2.3 times the room of 0 … w. */
    double linear_width;
};

/* STATUS_INPUT unless low < high, both finite with a finite difference, and
 * linear_width ≥ 0. */
enum status scale_check(const struct scale *scale, struct error *error);

/* Where a value stands between low (0) and high (1), held within them; NaN
 * for NaN. scale_value is the inverse. */
double scale_place(const struct scale *scale, double value);
double scale_value(const struct scale *scale, double place);

/* The colour's number, 0 … 255, or −1 for NaN. Rounded as h5topng rounds its
 * gray in 24 bits, 255 − ⌊f(f(1 − place)·255) + ½⌋ with f the rounding to
 * single precision, so that the gray map gives that program's pixels. */
int scale_level(const struct scale *scale, double value);

/* The extremes of what is to be painted. */
struct extremes {
    bool any;
    double low, high;
};

/* Widens the extremes by the finite ones of `count` values; those with
 * skip[i] ≠ 0 (walls; NULL: none) do not count. */
void extremes_add(struct extremes *extremes, const double *values,
                  const unsigned char *skip, size_t count);

/* A linear scale over the extremes; `symmetric`: about zero. Where they leave
 * no room (one value, or none), room is made round the value. */
struct scale scale_over(const struct extremes *extremes, bool symmetric);

#endif
