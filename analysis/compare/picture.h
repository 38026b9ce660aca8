/* SPDX-License-Identifier: MIT */
/* The chart of recordings (plot.h), and files of CSV with the numbers behind
 * it: NAME-table.csv the table, NAME-captures.csv the curves, NAME-agents.csv a
 * row for each agent, and with pairs NAME-ratios.csv the table of --paired and
 * NAME-pairs.csv a row for each pair. */
#ifndef HAMON_ANALYSIS_COMPARE_PICTURE_H
#define HAMON_ANALYSIS_COMPARE_PICTURE_H

#include "analysis/compare/outcome.h"
#include "analysis/compare/pairs.h"
#include "analysis/compare/plot.h"
#include "analysis/compare/table.h"
#include "cli/cli.h"
#include "draw/chart/labels.h"

/* The command line's options; borrowed. */
struct picture {
    const char *panels, *reference;
    struct labels_given labels;
    const char *base;
    struct chart chart;
};

/* Checks the options, and opens the files before anything is computed. Release
 * with picture_release, after a failure too. */
enum status picture_open(struct picture *picture, const char *base,
                         const char *formats, const char *width,
                         const char *font, bool force, bool debug,
                         struct error *error);
void picture_release(struct picture *picture);

/* Writes all files. `pairs` and `list` are of pairs_make if there is a
 * reference; else they are made here, with lee or the first row as the
 * reference, if there are such pairs. */
enum status picture_draw(struct picture *picture,
                         const struct outcomes *outcomes,
                         const struct compared *rows, struct compared *pairs,
                         struct paired_list *list, const struct cli *cli,
                         struct error *error);

/* Describes the columns of the files. */
void picture_describe(FILE *out);

#endif
