/* SPDX-License-Identifier: MIT */
/* A recording that all ranks write at the same time by parallel HDF5, each its
 * own block of the fields (shared_file_mpi.c; in a build without it
 * shared_file_one.c returns an error). All ranks make each call together. */
#ifndef HAMON_RECORDING_WRITE_SHARED_FILE_H
#define HAMON_RECORDING_WRITE_SHARED_FILE_H

#include "base/ranks.h"
#include "base/status.h"
#include "recording/format/layout.h"
#include "world/state.h"

#include <stdbool.h>
#include <stdint.h>

struct shared_file;

/* Opens the datasets of the `count` items that are not NULL. Borrows all. */
enum status shared_file_open(const char *path, struct ranks *ranks,
                             const struct layout_item *const *items,
                             size_t count, struct shared_file **file,
                             struct error *error);
void shared_file_close(struct shared_file *file);

/* A packed block of values, the box of it that is to be written, and the
 * coordinates of that box in the dataset. Nothing is written unless `any`. */
struct shared_block {
    const void *values;
    struct box block, box; /* in the same coordinates */
    int at[GRID_AXES];
    bool any;
};

/* Writes row `row` of item number i; row < 0: an item without rows. */
enum status shared_file_write(struct shared_file *file, size_t i, int64_t row,
                              const struct shared_block *block,
                              struct error *error);

/* Each rank writes its own block of a field of the world (state.h), which
 * begins at byte `at` of the file. */
enum status shared_file_write_field(struct shared_file *file, uint64_t at,
                                    const struct share *share,
                                    const struct state_field *field,
                                    struct error *error);

/* Makes durable what every rank has written. Rows that another thread writes
 * meanwhile (shared_file_write) are not included. */
enum status shared_file_sync(struct shared_file *file, struct error *error);

#endif
