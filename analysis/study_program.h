/* SPDX-License-Identifier: MIT */
/* A chart program: recordings in, a table and a chart out. All of them take the
 * same options and go the same way; what they measure differs. */
#ifndef HAMON_ANALYSIS_STUDY_PROGRAM_H
#define HAMON_ANALYSIS_STUDY_PROGRAM_H

#include "cli.h"
#include "draw/chart.h"
#include "study.h"
#include "table.h"

/* The program keeps its report itself, and its functions know where. */
struct study_program {
    const char *name, *purpose, *notes;
    const char *vary_help, *table_help;
    const struct cli_option *own; /* options of its own, or NULL; ends so */
    /* Measures; released in any case. */
    enum status (*make)(const struct study *study, int wave,
                        struct error *error);
    void (*release)(void);
    enum status (*table)(struct table *table, struct error *error);
    /* What the user is to know beside the table; "" or NULL for nothing. */
    const char *(*remark)(void);
    /* What the chart's caption is to say of the figures; "" or NULL. */
    const char *(*note)(void);
    /* One picture of a group, written beside BASE.png to `path`; or NULL. */
    enum status (*map)(size_t group, const char *base, double width, bool force,
                       char *path, size_t size, struct error *error);
    /* The blocks of the chart's data, and its panels. */
    enum status (*chart)(struct chart *chart, struct error *error);
    void (*figure)(struct chart_figure *figure);
    const char *const *more_legends; /* behind the groups'; NULL: none */
};

/* The whole of main: the code to exit with. */
int study_program_main(const struct study_program *program, int argc,
                       char **argv);

#endif
