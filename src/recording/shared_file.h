/* SPDX-License-Identifier: MIT */
/* A laid-out recording as all ranks write it at once, each its block of the
 * fields: parallel HDF5 (shared_file_mpi.c; shared_file_one.c stands in where
 * it is not built in). All calls are made by all ranks together. */
#ifndef HAMON_RECORDING_SHARED_FILE_H
#define HAMON_RECORDING_SHARED_FILE_H

#include "base/ranks.h"
#include "base/status.h"
#include "recording/layout.h"
#include "world/state.h"

#include <stdbool.h>
#include <stdint.h>

struct shared_file;

/* Opens the datasets of `count` items; NULL ones are passed over. Borrows all.
 */
enum status shared_file_open(const char *path, struct ranks *ranks,
                             const struct layout_item *const *items,
                             size_t count, struct shared_file **file,
                             struct error *error);
void shared_file_close(struct shared_file *file);

/* A packed block of values, and the box of it that is written; where the box
 * lies in the dataset: its first cell on each axis. Nothing where not `any`. */
struct shared_block {
    const void *values;
    struct box block, box; /* in the same coordinates */
    int at[GRID_AXES];
    bool any;
};

/* Into the i-th item, in its row `row`, or where row < 0 in an item without
 * rows. */
enum status shared_file_write(struct shared_file *file, size_t i, int64_t row,
                              const struct shared_block *block,
                              struct error *error);

/* Each its own block of a field of the world (state.h), which stands whole at
 * byte `at` of the file. */
enum status shared_file_write_field(struct shared_file *file, uint64_t at,
                                    const struct share *share,
                                    const struct state_field *field,
                                    struct error *error);

/* What every rank wrote is on its way to the disk no longer. Another thread may
 * write rows meanwhile (shared_file_write), which it does not promise then. */
enum status shared_file_sync(struct shared_file *file, struct error *error);

#endif
