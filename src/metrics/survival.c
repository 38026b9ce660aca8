/* SPDX-License-Identifier: MIT */
#include "metrics/survival.h"

#include "base/memory.h"
#include "base/need.h"
#include "metrics/interval.h"
#include "metrics/proportion.h"

#include <math.h>
#include <stdlib.h>

struct survival_time survival_join(struct survival_time a,
                                   struct survival_time b, bool any)
{
    if (a.captured != b.captured)
        return a.captured == any ? a : b;
    bool first = a.captured && any;
    return (a.time < b.time) == first ? a : b;
}

static int by_time(const void *a, const void *b)
{
    const struct survival_time *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->captured - y->captured;
}

void survival_sort(struct survival_time *times, size_t count)
{
    qsort(times, count, sizeof *times, by_time);
}

/* Of one time: how many leave, and how many of them are captured. */
struct step {
    double time, left, captured;
};

/* Takes the next time from the sorted ones, from *i on. */
static struct step next_step(const struct survival_time *sorted,
                             const double *weights, size_t count, size_t *i)
{
    struct step step = { .time = sorted[*i].time };
    for (; *i < count && sorted[*i].time == step.time; ++*i) {
        double weight = weights ? weights[sorted[*i].group] : 1;
        step.left += weight;
        step.captured += sorted[*i].captured ? weight : 0;
    }
    return step;
}

static double total(const struct survival_time *times, const double *weights,
                    size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weights ? weights[times[i].group] : 1;
    return sum;
}

double survival_mean(const struct survival_time *sorted, const double *weights,
                     size_t count, double limit)
{
    double at_risk = total(sorted, weights, count);
    double surviving = 1, area = 0, before = 0;
    if (at_risk == 0)
        return NAN;
    for (size_t i = 0; i < count && sorted[i].time < limit;) {
        struct step step = next_step(sorted, weights, count, &i);
        if (step.left == 0)
            continue;
        area += surviving * (step.time - before);
        before = step.time;
        surviving *= 1 - step.captured / at_risk;
        at_risk -= step.left;
    }
    return area + surviving * (limit - before);
}

/* ---- the curve ---- */

static void end_point(struct survival_point *point, double before,
                      double *variance)
{
    const double at_risk = (double)point->at_risk;
    const double captured = (double)point->captured, kept = at_risk - captured;
    point->term = kept > 0 ? captured / (at_risk * kept) : 0;
    point->surviving = before * (kept / at_risk);
    *variance += point->term;
    if (point->surviving > 0 && point->surviving < 1) {
        double width = NORMAL_95 * sqrt(*variance) / -log(point->surviving);
        point->low = pow(point->surviving, exp(width));
        point->high = pow(point->surviving, exp(-width));
    }
}

/* `points` has room for count + 1; returns how many are filled. */
static size_t draw_curve(const struct survival_time *sorted, size_t count,
                         struct survival_point *points)
{
    size_t filled = 1;
    double variance = 0;
    points[0] = (struct survival_point){
        .at_risk = count, .surviving = 1, .low = NAN, .high = NAN
    };
    for (size_t i = 0; i < count; filled++) {
        size_t at_risk = count - i;
        struct step step = next_step(sorted, NULL, count, &i);
        points[filled] = (struct survival_point){
            .time = step.time,
            .at_risk = at_risk,
            .captured = (size_t)step.captured,
            .censored = (size_t)(step.left - step.captured),
            .low = NAN,
            .high = NAN,
        };
        end_point(&points[filled], points[filled - 1].surviving, &variance);
    }
    return filled;
}

size_t survival_curve(const struct survival_time *times, size_t count,
                      struct survival_point *points)
{
    struct survival_time *sorted = need_memory(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = times[i];
    survival_sort(sorted, count);
    size_t filled = draw_curve(sorted, count, points);
    memory_release(sorted);
    return filled;
}

size_t survival_at_risk(const struct survival_time *times, size_t count,
                        double time)
{
    size_t at_risk = 0;
    for (size_t i = 0; i < count; i++)
        at_risk += times[i].time >= time;
    return at_risk;
}

/* ---- quantiles ---- */

static double surviving_of(const struct survival_point *point)
{
    return point->surviving;
}

static double low_of(const struct survival_point *point)
{
    return point->low;
}

static double high_of(const struct survival_point *point)
{
    return point->high;
}

/* The first point at which the curve is at most `level`; count: none. */
static size_t first_at(const struct survival_point *points, size_t count,
                       double curve(const struct survival_point *),
                       double level)
{
    size_t i = 0;
    while (i < count && !(curve(&points[i]) <= level))
        i++;
    return i;
}

/* A curve this near to a level is equal to it except for rounding (R's value
 * too). */
static const double same = 1.5e-8;

static double quantile_of(const struct survival_point *points, size_t count,
                          double curve(const struct survival_point *),
                          double level)
{
    size_t at = first_at(points, count, curve, level + same);
    size_t below = first_at(points, count, curve, level - same);
    if (at == count)
        return NAN;
    if (below == count && curve(&points[count - 1]) > level - same)
        below = count - 1; /* the curve ends at the level */
    return below < count ? (points[at].time + points[below].time) / 2 : NAN;
}

/* Of `times` times. */
static struct survival_quantile quantile_at(const struct survival_point *points,
                                            size_t count, size_t times,
                                            double p)
{
    const struct interval interval =
        interval_of(times, quantile_of(points, count, low_of, 1 - p),
                    quantile_of(points, count, high_of, 1 - p), NAN, NAN);
    return (struct survival_quantile){
        quantile_of(points, count, surviving_of, 1 - p),
        interval.low,
        interval.high,
    };
}

/* ---- the standard error of the mean ---- */

static double mean_error(const struct survival_point *points, size_t count,
                         double limit)
{
    double area = 0, variance = 0, end = limit;
    for (size_t i = count; i-- > 0;) {
        if (points[i].time > limit)
            continue;
        area += points[i].surviving * (end - points[i].time);
        variance += area * area * points[i].term;
        end = points[i].time;
    }
    return sqrt(variance);
}

struct survival survival_make(const struct survival_time *times, size_t count,
                              double limit)
{
    static const struct survival_quantile none = { NAN, NAN, NAN };
    struct survival survival = { .n = count,
                                 .last = NAN,
                                 .least = NAN,
                                 .largest = NAN,
                                 .lower_quartile = none,
                                 .median = none,
                                 .upper_quartile = none,
                                 .limit = limit,
                                 .mean = NAN,
                                 .error = NAN };
    struct survival_time *sorted = need_memory(count, sizeof *sorted);
    struct survival_point *points = need_memory(count + 1, sizeof *points);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = times[i];
        survival.captured += times[i].captured;
    }
    if (count) {
        survival_sort(sorted, count);
        size_t filled = draw_curve(sorted, count, points);
        survival.lower_quartile = quantile_at(points, filled, count, .25);
        survival.median = quantile_at(points, filled, count, .5);
        survival.upper_quartile = quantile_at(points, filled, count, .75);
        survival.last = sorted[count - 1].time;
        if (sorted[0].captured)
            survival.least = sorted[0].time;
        if (sorted[count - 1].captured)
            survival.largest = sorted[count - 1].time;
        survival.mean = survival_mean(sorted, NULL, count, limit);
        survival.error = mean_error(points, filled, limit);
    }
    memory_release(sorted);
    memory_release(points);
    return survival;
}

struct estimate survival_median(const struct survival *survival)
{
    return (struct estimate){ survival->median.at,
                              interval_of(survival->n, survival->median.low,
                                          survival->median.high,
                                          survival->least, survival->largest) };
}

struct estimate survival_restricted(const struct survival *survival)
{
    const double half = NORMAL_95 * survival->error;
    return (struct estimate){
        survival->mean,
        interval_of(survival->n, survival->mean - half, survival->mean + half,
                    fmin(survival->least, survival->limit),
                    fmin(survival->largest, survival->limit))
    };
}
