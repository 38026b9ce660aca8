/* SPDX-License-Identifier: MIT */
/* Columns of a recording's tables. */
#ifndef HAMON_DRAW_COLUMN_H
#define HAMON_DRAW_COLUMN_H

#include "recording/recording.h"

/* Reads "plans/step" and the like, whole, as doubles: at least `rows` of them.
 * STATUS_INPUT where they are not there. The column is memory_new's. */
enum status column_read(const struct recording *recording, const char *name,
                        int64_t rows, double **column, struct error *error);

#endif
