/* SPDX-License-Identifier: MIT */
/* The agents' methods on the problems of a .chase file: every chase is run
 * without a recording, and a table has the results and costs. */
#ifndef HAMON_ANALYSIS_COMPARE_CHASES_H
#define HAMON_ANALYSIS_COMPARE_CHASES_H

#include "analysis/compare/chase_file.h"
#include "analysis/compare/table.h"
#include "analysis/compare/work.h"
#include "base/status.h"
#include "draw/chart/chart.h"

#include <stddef.h>
#include <stdio.h>

struct chase_runs {
    struct chase_problems problems; /* the selected ones */
    struct chase_map map;
    struct work work;
};

/* Is it a file of chases, by its name? */
bool chase_runs_wanted(const char *file);

/* Reads and checks all problems with all methods before the first chase is run.
 * Release with chase_runs_release for any status. */
enum status chase_runs_make(const struct work_options *options,
                            struct chase_runs *runs, struct error *error);
void chase_runs_release(struct chase_runs *runs);

/* A row of CSV for each problem and method. */
void chase_runs_print(const struct chase_runs *runs, FILE *out);

/* A row for each method and class, and for all classes if there are several.
 * Release with compared_release. */
void chase_runs_table(const struct chase_runs *runs, struct compared *table);

/* The chart, of chart_open: as that of recordings, over all chases, of which
 * each is compared with that of the first method. `panels`: as in plot_draw. */
enum status chase_runs_draw(const struct chase_runs *runs, const char *panels,
                            struct chart *chart, struct error *error);

/* Describes the columns of the table, then those of the rows of CSV. */
void chase_runs_describe(FILE *out);

#endif
