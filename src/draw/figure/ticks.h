/* SPDX-License-Identifier: MIT */
/* Round numbers along an axis or a colour bar, and their labels. */
#ifndef HAMON_DRAW_FIGURE_TICKS_H
#define HAMON_DRAW_FIGURE_TICKS_H

#include "draw/colormap/scale.h"

enum { TICKS_MOST = 64, TICK_LABEL_SIZE = 64 };

struct tick {
    double value;
    double place;                /* 0 at the low end … 1 at the high end */
    char label[TICK_LABEL_SIZE]; /* UTF-8; "" of a minor tick */
};

struct ticks {
    struct tick tick[TICKS_MOST];
    int count;
};

/* About `most` labels or fewer over the scale, but at least two: multiples of
 * 1, 2 or 5 times a power of ten (of 90 over a full turn), or on a signed
 * logarithm zero and powers of ten, those without room for a label being
 * minor. */
void ticks_make(const struct scale *scale, int most, struct ticks *ticks);

/* The largest of 1, 2 or 5 times a power of ten that is at most `value` > 0. */
double ticks_round(double value);

/* A number with as few characters as necessary: 120, −0.25, 2×10⁻⁶. */
void ticks_label(double value, double step, char label[TICK_LABEL_SIZE]);

#endif
