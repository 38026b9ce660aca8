/* SPDX-License-Identifier: MIT */
/* Built without MPI: no ranks, no shared files. */
#include "recording/write/shared_file.h"

static enum status none(struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "built without MPI: ./configure --with-mpi is needed");
}

enum status shared_file_open(const char *path, struct ranks *ranks,
                             const struct layout_item *const *items,
                             size_t count, struct shared_file **file,
                             struct error *error)
{
    return none(error);
}

void shared_file_close(struct shared_file *file)
{
}

enum status shared_file_write(struct shared_file *file, size_t i, int64_t row,
                              const struct shared_block *block,
                              struct error *error)
{
    return none(error);
}

enum status shared_file_write_field(struct shared_file *file, uint64_t at,
                                    const struct share *share,
                                    const struct state_field *field,
                                    struct error *error)
{
    return none(error);
}

enum status shared_file_sync(struct shared_file *file, struct error *error)
{
    return none(error);
}
