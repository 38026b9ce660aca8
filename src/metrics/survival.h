/* SPDX-License-Identifier: MIT */
/* Times to capture if some chases end without one: Kaplan and Meier's estimate,
 * its quartiles, and the mean restricted to the step limit. */
#ifndef HAMON_METRICS_SURVIVAL_H
#define HAMON_METRICS_SURVIVAL_H

#include "metrics/interval.h"

#include <stdbool.h>
#include <stddef.h>

struct survival_time {
    double time;   /* ≥ 0: of the capture, or the last one observed */
    bool captured; /* false: not captured up to that time (censored) */
    size_t group;  /* for the weights of survival_mean only */
};

/* The time of a chase by two: of the first capture if that ends the chase
 * (`any`); else of the second, censored at the chase's end if it did not
 * occur. */
struct survival_time survival_join(struct survival_time a,
                                   struct survival_time b, bool any);

/* NAN: the curve does not fall so far; low and high also of fewer than
 * INTERVAL_VALUES times (interval.h). */
struct survival_quantile {
    double at, low, high;
};

struct survival {
    size_t n, captured;
    double last;           /* the last time observed; NAN: n is 0 */
    double least, largest; /* times; NAN: not captured then, or n is 0 */
    struct survival_quantile lower_quartile, median, upper_quartile;
    double limit;       /* of the mean */
    double mean, error; /* the restricted mean and its standard error */
};

/* With d_i captures at time t_i and n_i not captured before (censored at t_i
 * ones among them)
 *
 *   S(t) = Π (1 − d_i/n_i) over t_i ≤ t          (Kaplan and Meier 1958),
 *   σ²(t) = Σ d_i/(n_i (n_i − d_i))              (Greenwood 1926),
 *
 * and the 95 % limits of S are S^exp(±z σ/log S) (log-log; Kalbfleisch and
 * Prentice 1980), none at S = 0 or 1. The p-quantile is the first time at which
 * S ≤ 1 − p; if S stays at 1 − p, the middle of that time and the next capture,
 * or, after the last capture, the last time. Its limits are the same quantiles
 * of the limits of S (Brookmeyer and Crowley 1982). R: survfit(conf.type =
 * "log-log") and quantile().
 *
 * The restricted mean is the area under S from 0 to `limit`, with S constant
 * after the last time; its variance Σ A_i² d_i/(n_i (n_i − d_i)), with A_i the
 * area from t_i to the limit, and without terms of n_i = d_i (Klein and
 * Moeschberger 2003, 4.5). R: print(rmean = limit). */
struct survival survival_make(const struct survival_time *times, size_t count,
                              double limit);

/* The curve at a time at which some leave, and from it to the next one. */
struct survival_point {
    double time;
    size_t at_risk;            /* not captured, and observed, before it */
    size_t captured, censored; /* at it */
    double surviving;          /* S from it on */
    double low, high;          /* its 95 % limits; NAN: none */
    double term;               /* d/(n (n − d)) of the sum of Greenwood */
};

/* The curve: time 0 with S = 1, then a point for each time. `points` has room
 * for count + 1; returns how many are filled. */
size_t survival_curve(const struct survival_time *times, size_t count,
                      struct survival_point *points);

/* How many are observed and not captured before `time`: a censored one counts
 * at its last time. */
size_t survival_at_risk(const struct survival_time *times, size_t count,
                        double time);

/* The median with its interval, or the range of the times. */
struct estimate survival_median(const struct survival *survival);

/* The restricted mean with its interval by the standard error, or the range of
 * the times up to the limit. */
struct estimate survival_restricted(const struct survival *survival);

/* Ascending by time. */
void survival_sort(struct survival_time *times, size_t count);

/* Only the restricted mean, in which a time of group g counts weights[g] times;
 * NULL: once. NAN if no time counts. */
double survival_mean(const struct survival_time *sorted, const double *weights,
                     size_t count, double limit);

#endif
