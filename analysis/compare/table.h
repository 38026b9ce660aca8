/* SPDX-License-Identifier: MIT */
/* Tables of methods in figures: what became of the agents in recordings, by
 * method and settings, and how searches do on problems (problems.h). */
#ifndef HAMON_ANALYSIS_COMPARE_TABLE_H
#define HAMON_ANALYSIS_COMPARE_TABLE_H

#include "analysis/compare/outcome.h"
#include "base/status.h"

#include <stdio.h>

enum figure {
    FIGURE_AGENTS,
    FIGURE_CAPTURED,
    FIGURE_RATE,
    FIGURE_STEPS_Q1, /* of those that captured, as all that follows */
    FIGURE_STEPS,
    FIGURE_STEPS_Q3,
    FIGURE_STEPS_P95,
    FIGURE_LENGTH,
    FIGURE_TURNS,
    FIGURE_RATIO_Q1, /* v·steps/d */
    FIGURE_RATIO,
    FIGURE_RATIO_Q3,
    FIGURE_MARCHED_Q1, /* v·steps over the way by fast-marching-fine */
    FIGURE_MARCHED,
    FIGURE_MARCHED_Q3,
    FIGURE_PATH_RATIO, /* length over the shortest path */
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

enum { TABLE_FIGURES_MOST = 26 };

/* A column of the printed table: in text, where a column stands beside its
 * group and over its unit; where it stands alone (md, tex); in csv. */
struct table_heading {
    const char *name, *unit, *alone, *csv;
    int decimals;
};

struct table_row {
    char method[METHOD_NAME_SIZE];
    char group[GROUP_SIZE];
    double figure[TABLE_FIGURES_MOST]; /* NAN: there is none */
};

struct table {
    const struct table_heading *headings; /* (figures), borrowed */
    int figures;
    struct table_row *rows;
    size_t count;
    const char *const *keys; /* what the group's values are of */
    size_t key_count;
    uint64_t hidden; /* a bit a figure */
};

/* Shows the named columns alone, `names` divided by commas, as csv has them. */
enum status table_choose(struct table *table, const char *names,
                         struct error *error);

/* A row for each method and group, in the order they first come. A pair is an
 * agent and one of method lee in the same group with the same problem. */
enum status table_make(const struct outcomes *outcomes, struct table *table,
                       struct error *error);
void compare_table_release(struct table *table);

/* "text", "csv", "md" or "tex"; NULL ends. */
extern const char *const table_formats[];

void compare_table_print(const struct table *table, int format, FILE *out);

#endif
