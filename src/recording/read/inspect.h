/* SPDX-License-Identifier: MIT */
/* What HDF5 finds in a file: variables with names of the schema, their types,
 * extents and addresses. HDF5 runs in a child process, which may crash, loop or
 * use up its memory without harm. The result is well formed; inspect_layout
 * compares it with the schema. */
#ifndef HAMON_RECORDING_READ_INSPECT_H
#define HAMON_RECORDING_READ_INSPECT_H

#include "base/status.h"
#include "recording/format/layout.h"

#include <stddef.h>
#include <stdint.h>

#define NO_OFFSET UINT64_MAX

struct found {
    char name[VARIABLE_NAME_SIZE];
    int32_t type, rank;
    int64_t extent[VARIABLE_MAX_RANK];
    uint64_t offset; /* NO_OFFSET: no space of its own */
    /* extents of a chunk; [0] is 0: contiguous */
    int64_t chunk[VARIABLE_MAX_RANK];
    /* places of the first and the last chunk */
    struct chunk_place ends[2];
};

/* An attribute of an object of the file, or with the name "" the object itself.
 * `sum` is a checksum of its type, extents and values (of the object: type,
 * extents, fill value); a reference counts as the name of its object. */
struct found_attribute {
    char object[VARIABLE_NAME_SIZE]; /* path from the root, "" the root */
    char name[VARIABLE_NAME_SIZE];
    uint32_t sum;
};

struct inspection {
    struct found *items; /* release with memory_release */
    size_t count;
    struct found_attribute *attributes; /* of inspect_attributes alone */
    size_t attribute_count;
    char title[RECORDING_TITLE_SIZE];
};

/* Reads the open file `fd`; `path` is for messages. */
enum status inspect_file(int fd, const char *path,
                         struct inspection *inspection, struct error *error);

/* Every object that hard links reach, and its attributes, in the order of their
 * names; a name that does not fit ends with its checksum. With a layout the
 * values of datasets that are not in it are part of their sums. *items:
 * memory_new. */
enum status inspect_attributes(int fd, const char *path, struct layout *layout,
                               struct found_attribute **items, size_t *count,
                               struct error *error);

/* Makes the file's shape, and its layout with the offsets. STATUS_INPUT unless
 * the file contains everything that the schema requires, with the right types
 * and extents and inside the file's `bytes`, and nothing else. Packed rows of
 * up to `cells` cells are accepted in a file of any size. */
enum status inspect_layout(const struct inspection *inspection,
                           const char *path, uint64_t bytes, uint64_t cells,
                           struct shape *shape, struct layout *layout,
                           struct error *error);

#endif
