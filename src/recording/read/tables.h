/* SPDX-License-Identifier: MIT */
/* What a recording's tables hold, read whole. */
#ifndef HAMON_RECORDING_READ_TABLES_H
#define HAMON_RECORDING_READ_TABLES_H

#include "recording/read/recording.h"

/* The column "plans/step" and the like as doubles (cells and steps are exact),
 * at least `rows` of them; from memory_new. STATUS_INPUT where they are not
 * there. */
enum status table_column_read(const struct recording *recording,
                              const char *name, size_t rows, double **column,
                              struct error *error);

/* The emissions, in order of their steps; from memory_new. STATUS_INPUT where
 * a row is no wave, step and cell of the map. */
struct emission_row {
    int wave;
    int64_t step;
    size_t cell; /* of the whole map */
};
enum status emissions_read(const struct recording *recording,
                           struct emission_row **rows, size_t *count,
                           struct error *error);

#endif
