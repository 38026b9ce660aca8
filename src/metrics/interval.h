/* SPDX-License-Identifier: MIT */
/* What is known of the spread of an estimate: its 95 % interval, or the range
 * of values that are too few for one. Every table, chart and page uses these
 * rules. */
#ifndef HAMON_METRICS_INTERVAL_H
#define HAMON_METRICS_INTERVAL_H

#include <stddef.h>

/* Fewer values, or fewer trials of a proportion, have no 95 % interval: a
 * bootstrap of 4 values covers .875 (summary.h), and Wilson's interval of 5 in
 * 9 is .27 to .81. */
enum { INTERVAL_VALUES = 5, INTERVAL_TRIALS = 10 };

struct interval {
    double low, high;      /* of 95 %; NAN: none */
    double least, largest; /* of 2 to 4 values; NAN: of others */
};

struct estimate {
    double estimate;
    struct interval interval;
};

extern const struct interval interval_none; /* all NAN */

/* The interval with these ends of `count` values, or their range. */
struct interval interval_of(size_t count, double low, double high, double least,
                            double largest);

/* The ends of an error bar in a chart: of an interval that is longer than 0;
 * NAN: no bar is drawn. */
void interval_bar(const struct interval *interval, double *low, double *high);

#endif
