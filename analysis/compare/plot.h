/* SPDX-License-Identifier: MIT */
/* The chart of chases by several methods: captures over time, the same chase by
 * two methods, how much sooner one is, and the paths. It is drawn from tables
 * of numbers by compare.gp. */
#ifndef HAMON_ANALYSIS_COMPARE_PLOT_H
#define HAMON_ANALYSIS_COMPARE_PLOT_H

#include "draw/chart/chart.h"
#include "metrics/paired.h"
#include "metrics/survival.h"

#include <stddef.h>

/* compare.gp and searches.gp, made part of the program by build-aux/embed.sh.
 */
extern const unsigned char compare_gp[], searches_gp[];

/* How many are drawn: a reader can distinguish so many lines. */
enum { PLOT_SERIES = 6 };

/* The chases of a method. */
struct plot_series {
    const char *method;
    char *label;
    struct survival_time *times; /* owned, as the other arrays */
    size_t count;
    double *paths; /* of captures: length over the shortest */
    size_t path_count;
    struct pair *pairs; /* with the chases of the reference */
    size_t pair_count;
};

/* All is owned. Release with plot_release. */
struct plot {
    struct plot_series *series;
    size_t count;
    char *reference; /* its label; NULL: there are no pairs */
    const char *reference_method;
    double limit; /* of the paired times */
    bool teams;   /* a time is that of a chase, not of an agent */
};
void plot_release(struct plot *plot);

/* The style of each series in head.gp: a method's own, if there is one series
 * of each method; else one after another. */
void plot_styles(const char *const *methods, size_t count, int *styles);

/* Says in the caption what its curves are, and how many chases each has. */
void plot_describe(const struct plot *plot, struct chart *chart);

/* Keeps only the panels of --panels (NULL: all) and draws; the chart is of
 * chart_open_tables. STATUS_INPUT if a panel does not exist. */
enum status plot_draw(const struct plot *plot, const char *panels,
                      struct chart *chart, struct error *error);

#endif
