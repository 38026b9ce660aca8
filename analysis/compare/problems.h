/* SPDX-License-Identifier: MIT */
/* The searches on the problems of a public .scen or .3dscen file: every method
 * is run on every problem, its length is compared with the file's optimum, and
 * a table has the results and costs. */
#ifndef HAMON_ANALYSIS_COMPARE_PROBLEMS_H
#define HAMON_ANALYSIS_COMPARE_PROBLEMS_H

#include "analysis/compare/table.h"
#include "analysis/compare/work.h"
#include "base/status.h"
#include "draw/chart/chart.h"
#include "search/problems.h"
#include "world/terrain.h"

#include <stddef.h>
#include <stdio.h>

struct problem_runs {
    struct problems problems; /* the selected ones */
    struct terrain terrain;
    struct work work;
};

/* Each worker runs the problems of one method successively, so that its memory
 * is warm. STATUS_INPUT for an error in a file or in the list of methods.
 * Release with problem_runs_release for any status. */
enum status problem_runs_make(const struct work_options *options,
                              struct problem_runs *runs, struct error *error);
void problem_runs_release(struct problem_runs *runs);

/* The number of guarantees that methods did not fulfil: other lengths than the
 * optimum, no path, and, counted with these, ends in walls. */
size_t problem_runs_missed(const struct problem_runs *runs);

/* A line "file:line: method: what" for the first `most` of these, and a last
 * one with the number of the others. */
void problem_runs_report(const struct problem_runs *runs, size_t most,
                         FILE *out);

/* A row of CSV for each problem and method. */
void problem_runs_print(const struct problem_runs *runs, FILE *out);

/* The chart, of chart_open_tables: length over the file's optimum, and expanded
 * cells over that length. */
enum status problem_runs_draw(const struct problem_runs *runs,
                              struct chart *chart, struct error *error);

/* Release with compared_release. */
void problem_runs_table(const struct problem_runs *runs,
                        struct compared *table);

/* Describes the columns of the table, then those of the rows of CSV. */
void problem_runs_describe(FILE *out);

#endif
