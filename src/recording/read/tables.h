/* SPDX-License-Identifier: MIT */
/* Reads the tables of a recording completely. */
#ifndef HAMON_RECORDING_READ_TABLES_H
#define HAMON_RECORDING_READ_TABLES_H

#include "recording/read/recording.h"

/* A column such as "plans/step" as doubles (cells and steps are exact), with at
 * least `rows` elements; from memory_new. STATUS_INPUT if it does not exist. */
enum status table_column_read(const struct recording *recording,
                              const char *name, size_t rows, double **column,
                              struct error *error);

/* Columns of a table as doubles, each from memory_new; *rows of them are in
 * use. If that is 0, no column is read. */
enum status table_columns_read(const struct recording *recording,
                               const char *table, const char *const *names,
                               int columns, double **column, size_t *rows,
                               struct error *error);

/* The emissions, in order of their steps; from memory_new. STATUS_INPUT if a
 * row has no valid wave, step or cell of the map. */
struct emission_row {
    int wave;
    int64_t step;
    size_t cell; /* index in the whole map */
};
enum status emissions_read(const struct recording *recording,
                           struct emission_row **rows, size_t *count,
                           struct error *error);

#endif
