/* SPDX-License-Identifier: MIT */
/* A chart program: recordings in, a table and a chart out. All of them take the
 * same options and go the same way; what they measure differs. */
#ifndef HAMON_ANALYSIS_STUDY_PROGRAM_H
#define HAMON_ANALYSIS_STUDY_PROGRAM_H

#include "analysis/study/map.h"
#include "analysis/study/study.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "draw/chart/chart.h"

/* What a program measures stands in its report, a struct of its own. */
struct study_program {
    const char *name, *purpose, *notes;
    bool one_recording; /* is taken, and --vary is not offered */
    const char *vary_help, *table_help; /* NULL: of the arrivals, one table */
    const struct cli_option *own;  /* options of its own, or NULL; ends so */
    const unsigned char *commands; /* its .gp file */
    void *report;                  /* all zero, or what `own` has set */
    /* Measures; released in any case. */
    enum status (*make)(void *report, const struct study *study, int wave,
                        struct error *error);
    void (*release)(void *report);
    enum status (*table)(const void *report, struct table *table,
                         struct error *error);
    /* What the user is to know beside the table, "" for nothing: printed below
     * it where it is text, unless it begins with "warning:"; else on standard
     * error. NULL: none. */
    const char *(*remark)(const void *report);
    /* What the chart's caption is to say of the figures in these panels: a line
     * or two; "" or NULL. */
    const char *(*note)(const void *report, const struct chart_figure *figure);
    /* What the picture of a group shows; NULL: there are none. */
    struct study_map (*map)(const void *report, size_t group);
    /* A second picture, BASE-`second_name`-N.png; where it has no recording
     * there is nothing to show. NULL: there are none. */
    struct study_map (*second_map)(const void *report, size_t group);
    const char *second_name;
    /* The legends of the chart's panels and the blocks of its data. */
    enum status (*data)(const void *report, struct chart *chart,
                        struct error *error);
    /* Fills the numbers, the count and the panels. */
    void (*panels)(const void *report, struct chart_figure *figure);
    const char *const *more_legends; /* behind the groups'; NULL: none */
};

/* The programs' .gp files, made part of them by build-aux/embed.sh. */
extern const unsigned char isotropy_gp[], reflection_gp[], steering_gp[];

/* The whole of main: the code to exit with. */
int study_program_main(const struct study_program *program, int argc,
                       char **argv);

#endif
