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

enum figure {
    FIGURE_AGENTS,
    FIGURE_CAPTURED,
    FIGURE_RATE,
    FIGURE_RATE_LOW, /* its 95 % interval */
    FIGURE_RATE_HIGH,
    FIGURE_CHASES,
    FIGURE_CHASES_CAPTURED,
    FIGURE_CHASE_RATE,
    FIGURE_CHASE_RATE_LOW,
    FIGURE_CHASE_RATE_HIGH,
    FIGURE_TIME_Q1, /* including those without a capture, as censored */
    FIGURE_TIME_Q1_LOW,
    FIGURE_TIME_Q1_HIGH,
    FIGURE_TIME,
    FIGURE_TIME_LOW,
    FIGURE_TIME_HIGH,
    FIGURE_TIME_Q3,
    FIGURE_TIME_Q3_LOW,
    FIGURE_TIME_Q3_HIGH,
    FIGURE_MEAN,
    FIGURE_MEAN_ERROR,
    FIGURE_LIMIT,
    FIGURE_STEPS_Q1, /* of those that captured, and so for all that follows */
    FIGURE_STEPS,
    FIGURE_STEPS_LOW, /* the median's 95 % interval */
    FIGURE_STEPS_HIGH,
    FIGURE_STEPS_Q3,
    FIGURE_STEPS_P95,
    FIGURE_LENGTH,
    FIGURE_TURNS,
    FIGURE_RATIO_Q1, /* v·steps/d */
    FIGURE_RATIO,
    FIGURE_RATIO_Q3,
    FIGURE_MARCHED_Q1, /* v·steps over the path length by fast-marching-fine */
    FIGURE_MARCHED,
    FIGURE_MARCHED_Q3,
    FIGURE_PATH_RATIO, /* length divided by the shortest path */
    FIGURE_PATH_RATIO_P95,
    FIGURE_WAITED,
    FIGURE_PAIRS, /* with an agent of method lee that captured too */
    FIGURE_LEE_Q1,
    FIGURE_LEE,
    FIGURE_LEE_Q3,
    FIGURE_UPDATES,
    FIGURE_EXPANSIONS, /* of all agents that plan */
    FIGURE_NANOSECONDS,
    FIGURE_STEP_NANOSECONDS, /* of all agents */
    FIGURES
};

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
 * interval are those of the figure before them, and end in _low_95 and
 * _high_95. */
struct compared_heading {
    const char *name, *csv;
    int decimals; /* −1: three digits, as %g */
    enum shown shown;
    const char *meaning; /* with its unit, for --help columns */
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
enum status compared_make(const struct outcomes *outcomes,
                          struct compared *table, struct error *error);
void compared_release(struct compared *table);

enum status compared_print(const struct compared *table,
                           enum table_format format, FILE *out,
                           struct error *error);

#endif
