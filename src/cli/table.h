/* SPDX-License-Identifier: MIT */
/* A table of results as text, CSV, Markdown, LaTeX or JSON: columns of text on
 * the left, then numbers. */
#ifndef HAMON_CLI_TABLE_H
#define HAMON_CLI_TABLE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum table_format {
    TABLE_TEXT,
    TABLE_CSV,
    TABLE_MD,
    TABLE_TEX,
    TABLE_JSON,
    TABLE_COMMENT
};

/* By the options --table ("text", "csv", "md" or "tex"; NULL if not given) and
 * --json. Both together are an error. */
enum status table_format_parse(const char *table, bool json,
                               enum table_format *format, struct error *error);

struct table_column {
    const char *name; /* with its unit: "RMS error (degrees)"; ASCII */
    int digits;       /* after the point; −1: as %g */
    /* Its number and the next column's are an interval of this name, "95 %": in
     * text, Markdown and LaTeX one column, "[0.91, 0.97]". NULL: no
     * interval. */
    const char *interval;
    /* Of an interval: the two columns behind it are the range of values that
     * are too few for one (metrics/interval.h). In text, Markdown and LaTeX the
     * interval's column has it, "0.91 to 0.97", and the heading says so. */
    bool ranged;
    bool detail;         /* left out in LaTeX */
    const char *meaning; /* with its unit, for --help columns */
    /* Instead of the name in text, Markdown and LaTeX; NULL: the name. */
    const char *heading;
};

/* An entry of --help columns: the name, then its meaning, in 80 columns. */
void table_describe(const char *name, const char *meaning, FILE *file);
void table_describe_columns(const struct table_column *columns, size_t count,
                            FILE *file);

/* Below a table as text on a terminal: a line that names --help columns. */
void table_hint(enum table_format format);

struct table {
    const struct table_column *columns; /* of numbers, after the texts */
    size_t column_count;
    /* Of the columns of text, (text_count): text_names; or without them those
     * of named_by; or, without both, label_name alone. */
    const char *const *text_names;
    const struct table_column *named_by;
    const char *label_name;
    size_t text_count;
    char **texts;    /* (rows, text_count), owned */
    int *widths;     /* (text_count): the longest text's on a terminal */
    double *numbers; /* (rows, column_count); NaN: none */
    bool *filled;    /* (column_count): it has a number */
    size_t rows, room;
};

/* `columns` is borrowed. Release with table_release. */
void table_init(struct table *table, const char *label_name,
                const struct table_column *columns, size_t count);
/* The same with several columns of texts; `names` is borrowed. */
void table_init_texts(struct table *table, const char *const *names,
                      size_t text_count, const struct table_column *columns,
                      size_t count);
/* The same; the first `text_count` of the columns are those of texts. */
void table_init_mixed(struct table *table, const struct table_column *columns,
                      size_t text_count, size_t count);
void table_release(struct table *table);

/* Adds a row; `numbers` has a number for each column, `texts` a text for
 * each. */
void table_add_texts(struct table *table, const char *const *texts,
                     const double *numbers);
void table_add(struct table *table, const char *label, const double *numbers);

/* Text is set in blocks of columns below each other, each with the texts, no
 * wider than the terminal, or 120 characters. CSV and JSON have exact numbers:
 * the fewest digits that read back as the same one; other formats round them.
 * CSV has quotes if needed (RFC 4180), and lines that end in \n. TeX is a
 * tabular with rules of booktabs and columns S of siunitx. It leaves out
 * details and texts that are the same in all rows, and escapes special
 * characters. A table wider than 17 cm in \footnotesize is split into several
 * tabulars, as text is. JSON is an array with an object for each row, null for
 * no number. A comment is the text with "# | " before each line. Only CSV and
 * JSON have columns without a number. */
void table_print(const struct table *table, enum table_format format,
                 FILE *file);

#endif
