/* SPDX-License-Identifier: MIT */
/* A table of results as text, CSV or TeX. */
#ifndef HAMON_ANALYSIS_STUDY_TABLE_H
#define HAMON_ANALYSIS_STUDY_TABLE_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_TEX, TABLE_COMMENT };

/* "text", "csv", "tex". */
enum status table_format_parse(const char *text, enum table_format *format,
                               struct error *error);

struct table_column {
    const char *name; /* with its unit: "RMS error (degrees)" */
    int digits;       /* behind the point; −1: as %g */
};

struct table {
    const struct table_column *columns; /* of numbers; the first is the label */
    size_t column_count;
    const char *label_name;
    char **labels;   /* owned */
    double *numbers; /* (rows, column_count); NaN: none */
    size_t rows, room;
};

/* `columns` is borrowed. Release with table_release. */
void table_init(struct table *table, const char *label_name,
                const struct table_column *columns, size_t count);
void table_release(struct table *table);

/* Adds a row; `numbers` has a number a column. */
enum status table_add(struct table *table, const char *label,
                      const double *numbers, struct error *error);

/* CSV has every digit, quotes where they are needed (RFC 4180); TeX is a
 * tabular with its special characters escaped; a comment is the text, "# | " in
 * front of its lines. */
void table_print(const struct table *table, enum table_format format,
                 FILE *file);

#endif
