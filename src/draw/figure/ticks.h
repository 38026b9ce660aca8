/* SPDX-License-Identifier: MIT */
/* Round numbers along an axis or a colour bar, and how they are written. */
#ifndef HAMON_DRAW_FIGURE_TICKS_H
#define HAMON_DRAW_FIGURE_TICKS_H

#include "draw/colormap/scale.h"

enum { TICKS_MOST = 64, TICK_LABEL_SIZE = 64 };

struct tick {
    double value;
    double place;                /* 0 at the low end … 1 at the high end */
    char label[TICK_LABEL_SIZE]; /* UTF-8; "" of a minor one */
};

struct ticks {
    struct tick tick[TICKS_MOST];
    int count;
};

/* At most about `most` labels over the scale, but two at least: multiples of 1,
 * 2 or 5 times a power of ten (of 90 over a full turn), or on a signed
 * logarithm zero and powers of ten, those without room for a label being minor.
 */
void ticks_make(const struct scale *scale, int most, struct ticks *ticks);

/* The largest of 1, 2 or 5 times a power of ten that is at most `value` > 0. */
double ticks_round(double value);

/* A number in as few characters as tell it: 120, −0.25, 2×10⁻⁶. */
void ticks_label(double value, double step, char label[TICK_LABEL_SIZE]);

#endif
