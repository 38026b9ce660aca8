/* SPDX-License-Identifier: MIT */
/* Tables of methods and figures: the results of agents in recordings, by method
 * and settings, and of searches and chases on problems. */
#ifndef HAMON_ANALYSIS_COMPARE_TABLE_H
#define HAMON_ANALYSIS_COMPARE_TABLE_H

#include "analysis/compare/outcome.h"
#include "base/status.h"
#include "cli/table.h"
#include "draw/chart/labels.h"
#include "metrics/results.h"

#include <stdbool.h>
#include <stdio.h>

/* The entries of --help columns: the name in csv, and the meaning. */
void compared_describe(const struct result *results, size_t count, FILE *out);

/* From one row of outcomes, or from two, "one - other" (pairs.h). */
enum {
    ROW_METHOD_SIZE = 2 * MEASURED_METHOD_SIZE + 4,
    ROW_GROUP_SIZE = 2 * GROUP_SIZE + 4
};

struct compared_row {
    char method[ROW_METHOD_SIZE];
    char group[ROW_GROUP_SIZE];
    const char *const *values;   /* of the keys; borrowed from the outcomes */
    double figure[RESULTS_MOST]; /* of the columns; NAN: none */
};

/* A printed column: a result, or an end of its interval or range. */
struct compared_column {
    const struct result *result;
    int end; /* in ends_names; 0: the result itself */
    char *name, *heading;
    bool hidden;
};

struct compared {
    struct compared_column columns[RESULTS_MOST];
    size_t column_count;
    struct compared_row *rows;
    size_t count, room;
    const char *const *keys; /* the keys of the group's values */
    size_t key_count;
    bool teams;  /* a chase of several agents ends at the first capture */
    bool chosen; /* by compared_choose */
};

/* Adds the columns of a result that is not only hamon-sweep's. */
void compared_init(struct compared *table, const struct result *results,
                   size_t count);

/* Adds a row without figures; valid until the next one. */
struct compared_row *compared_add(struct compared *table, const char *method,
                                  const char *group);

/* The figures of a row, of a struct and an array of structs (results_take). */
void compared_take(struct compared *table, size_t row, const void *of,
                   const void *items, size_t count, size_t size);

/* Shows only the named columns; `names` are those of csv, separated by
 * commas. */
enum status compared_choose(struct compared *table, const char *names,
                            struct error *error);

/* A row for each method and group, in the order of first occurrence, without
 * figures. */
void compared_name(const struct outcomes *outcomes, struct compared *table);

/* Its rows for labels; memory_release rows->row. */
void compared_rows(const struct compared *table, struct labels_rows *rows);

/* Puts the rows, and the outcomes, in the order of --order. STATUS_INPUT if a
 * name is no row's. */
enum status compared_arrange(struct compared *table, const char *const *names,
                             size_t count, struct outcomes *outcomes,
                             struct error *error);

/* Its figures. A pair is an agent and one of method lee in the same group with
 * the same problem. */
void compared_fill(const struct outcomes *outcomes, struct compared *table);

void compared_release(struct compared *table);

void compared_print(const struct compared *table, enum table_format format,
                    FILE *out);

#endif
