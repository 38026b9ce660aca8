/* SPDX-License-Identifier: MIT */
/* Tables of methods and figures: the results of agents in recordings, by method
 * and settings, and of searches on problems (problems.h). */
#ifndef HAMON_ANALYSIS_COMPARE_TABLE_H
#define HAMON_ANALYSIS_COMPARE_TABLE_H

#include "analysis/compare/outcome.h"
#include "base/status.h"
#include "cli/table.h"

#include <stdbool.h>
#include <stdio.h>

enum { TABLE_FIGURES_MOST = 64 };

/* If a column is not named by --columns: it is always in csv and json, and in
 * the other formats …… */
enum shown {
    SHOWN,
    SHOWN_NAMED, /* never */
    SHOWN_TEAMS, /* if the table has teams */
    SHOWN_ALONE, /* if the table has none */
};

/* The heading of a printed column, and its name in csv and json: the ends of an
 * interval and of its range are those of the figure before them, and end in
 * _low_95, _high_95, _least and _largest. */
struct compared_heading {
    const char *name, *csv;
    int decimals; /* −1: three digits, as %g */
    enum shown shown;
    const char *meaning; /* with its unit, for --help columns */
    /* How compared_make computes it: the quantile `share` of a column of
     * agents; or, without a column, a member of a row's results. */
    int column;
    double share;
    size_t member;
};

/* The entries of --help columns: the name in csv, and the meaning. */
void compared_describe(const struct compared_heading *columns, int figures,
                       FILE *out);

/* From one row of outcomes, or from two, "one - other" (pairs.h). */
enum {
    ROW_METHOD_SIZE = 2 * METHOD_NAME_SIZE + 4,
    ROW_GROUP_SIZE = 2 * GROUP_SIZE + 4
};

struct compared_row {
    char method[ROW_METHOD_SIZE];
    char group[ROW_GROUP_SIZE];
    double figure[TABLE_FIGURES_MOST]; /* NAN: none */
};

struct compared {
    const struct compared_heading *headings; /* (figures), borrowed */
    int figures;
    struct compared_row *rows;
    size_t count;
    const char *const *keys; /* the keys of the group's values */
    size_t key_count;
    uint64_t hidden; /* a bit for each figure */
    bool teams;      /* a chase of several agents ends at the first capture */
};

/* Shows only the named columns; `names` are those of csv, separated by
 * commas. */
enum status compared_choose(struct compared *table, const char *names,
                            struct error *error);

/* Describes the columns of compared_make's table. */
void compared_describe_own(FILE *out);

/* A row for each method and group, in the order of first occurrence. A pair is
 * an agent and one of method lee in the same group with the same problem. */
void compared_make(const struct outcomes *outcomes, struct compared *table);
void compared_release(struct compared *table);

void compared_print(const struct compared *table, enum table_format format,
                    FILE *out);

#endif
