/* SPDX-License-Identifier: MIT */
/* A laid-out recording that all ranks write at once, each its block of the
 * fields, by parallel HDF5 (shared_file_mpi.c; without it shared_file_one.c
 * returns an error). All ranks make each call together. */
#ifndef HAMON_RECORDING_WRITE_SHARED_FILE_H
#define HAMON_RECORDING_WRITE_SHARED_FILE_H

#include "base/ranks.h"
#include "base/status.h"
#include "recording/format/layout.h"
#include "world/state.h"

#include <stdbool.h>
#include <stdint.h>

struct shared_file;

/* Opens the datasets of `count` items but for NULL ones. Borrows all. */
enum status shared_file_open(const char *path, struct ranks *ranks,
                             const struct layout_item *const *items,
                             size_t count, struct shared_file **file,
                             struct error *error);
void shared_file_close(struct shared_file *file);

/* A packed block of values, the box of it that is written, and the box's first
 * cell in the dataset on each axis. Nothing is written if not `any`. */
struct shared_block {
    const void *values;
    struct box block, box; /* in the same coordinates */
    int at[GRID_AXES];
    bool any;
};

/* Writes into row `row` of the i-th item; row < 0: an item without rows. */
enum status shared_file_write(struct shared_file *file, size_t i, int64_t row,
                              const struct shared_block *block,
                              struct error *error);

/* Each its own block of a field of the world (state.h), which stands whole at
 * byte `at` of the file. */
enum status shared_file_write_field(struct shared_file *file, uint64_t at,
                                    const struct share *share,
                                    const struct state_field *field,
                                    struct error *error);

/* Makes durable what every rank wrote. Rows that another thread writes
 * meanwhile (shared_file_write) are not included. */
enum status shared_file_sync(struct shared_file *file, struct error *error);

#endif
