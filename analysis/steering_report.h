/* SPDX-License-Identifier: MIT */
/* hamon-steering's figures: paths of each group of readings, and what its
 * strips reflect and let through. */
#ifndef HAMON_ANALYSIS_STEERING_REPORT_H
#define HAMON_ANALYSIS_STEERING_REPORT_H

#include "interface.h"
#include "steering.h"
#include "table.h"

/* One reading: a strip, or a field with paths. */
struct steering_reading {
    bool strip;
    struct interface interface;
    struct steering steering;
};

/* Over all starts of a group's readings. */
struct steering_sum {
    size_t paths, arrived;
    double fermat, fermat_low, fermat_high; /* mean, least, most */
    double hausdorff, hausdorff_high;
    double ratio;
};

struct steering_report {
    const struct study *study;
    struct steering_reading *readings;           /* as study's */
    struct steering_sum (*sums)[STEERING_KINDS]; /* (group) */
    bool strips; /* all are strips; else none is */
};

/* STATUS_INPUT where some recordings are strips and some are not: their charts
 * have nothing in common. Release with steering_report_release, after a failure
 * too. */
enum status steering_report_make(struct steering_report *report,
                                 const struct study *study, int wave,
                                 struct error *error);
void steering_report_release(struct steering_report *report);

/* The table of paths, or that of the strips' changes of speed. */
enum status steering_report_table(const struct steering_report *report,
                                  struct table *table, struct error *error);

/* The blocks of the chart's data, and the panels that show them. */
enum status steering_report_chart(const struct steering_report *report,
                                  struct chart *chart, struct error *error);
void steering_figure(const struct steering_report *report,
                     struct chart_figure *figure);

#endif
