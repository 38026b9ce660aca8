/* SPDX-License-Identifier: MIT */
/* A chart program: it reads recordings and writes a table and a chart. All
 * chart programs have the same options and structure; only the measurement
 * differs. */
#ifndef HAMON_ANALYSIS_STUDY_PROGRAM_H
#define HAMON_ANALYSIS_STUDY_PROGRAM_H

#include "analysis/study/map.h"
#include "analysis/study/study.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "draw/chart/chart.h"

/* The measurements of a program are in its report, a struct of its own. */
struct study_program {
    const char *name, *purpose, *notes;
    bool one_recording; /* it takes one recording, and has no --vary */
    const char *field;  /* each reading has what it is made of; NULL: none */
    const char *vary_help, *table_help; /* NULL: of arrivals, one table */
    const struct cli_option *own;  /* additional options, or NULL; ends alike */
    const unsigned char *commands; /* its .gp file */
    const char *title;             /* of its picture */
    void *report;                  /* all zero, or as set by `own` */
    /* Words of --by for no setting, of which one may be given, ending with
     * NULL; or NULL. */
    const char *const *by_words;
    const char **by_chosen;   /* the one that is given */
    const char *by_help;      /* NULL: that of settings only */
    const char *const *names; /* NAMEs of --label besides groups and settings,
                               * ending with NULL; or NULL */
    /* Measures; the report is released also after a failure. */
    enum status (*make)(void *report, const struct study *study, int wave,
                        struct error *error);
    void (*release)(void *report);
    void (*table)(const void *report, struct table *table);
    void (*columns)(FILE *out); /* describes those of its tables */
    /* A remark on the results, "" for none: printed below a table in text,
     * unless it begins with "warning:"; else on standard error. NULL: none. */
    const char *(*remark)(const void *report);
    /* A note for the chart's caption: a line or two, in English or as it is
     * drawn; "" or NULL. */
    const char *(*note)(const void *report, bool drawn);
    /* The number of groups that these panels draw one by one, of the first
     * ones; NULL: all. */
    size_t (*drawn)(const void *report, const struct chart_figure *figure);
    const char *where; /* they do, in words of the catalogue */
    /* The picture of a group; NULL: there are none. */
    struct study_map (*map)(const void *report, size_t group);
    /* A second picture, BASE-`second_name`-N.png; without a recording it is not
     * drawn. NULL: there are none. */
    struct study_map (*second_map)(const void *report, size_t group);
    const char *second_name;
    /* Writes the chart's tables and options. */
    enum status (*data)(const void *report, struct chart *chart,
                        struct error *error);
    /* Fills the count and the panels; and, if they are not those of the
     * program, the .gp file and the title. */
    void (*panels)(const void *report, struct chart_figure *figure);
};

/* The programs' .gp files, made part of them by build-aux/embed.sh. */
extern const unsigned char isotropy_gp[], reflection_gp[], steering_gp[];

/* All of main; returns the exit code. */
int study_program_main(const struct study_program *program, int argc,
                       char **argv);

#endif
