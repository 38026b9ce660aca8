/* SPDX-License-Identifier: MIT */
/* What HDF5 makes of a file, asked in a child process that may crash, spin or
 * eat memory without harm: variables of the schema's names with their types,
 * extents and addresses. Nothing that comes back is believed yet beyond being
 * well formed. */
#ifndef HAMON_RECORDING_INSPECT_H
#define HAMON_RECORDING_INSPECT_H

#include "base/status.h"
#include "recording/layout.h"

#include <stddef.h>
#include <stdint.h>

#define NO_OFFSET UINT64_MAX

struct found {
    char name[VARIABLE_NAME_SIZE];
    int32_t type, rank;
    int64_t extent[VARIABLE_MAX_RANK];
    uint64_t offset;                  /* NO_OFFSET: no room of its own */
    int64_t chunk[VARIABLE_MAX_RANK]; /* extents; [0] is 0: contiguous */
    struct chunk_place ends[2];       /* of the first and the last chunk */
};

struct inspection {
    struct found *items; /* memory_release */
    size_t count;
    char title[RECORDING_TITLE_SIZE];
};

/* Reads the open file `fd`; `path` is for messages. */
enum status inspect_file(int fd, const char *path,
                         struct inspection *inspection, struct error *error);

/* The file's shape and its layout, held to each other: everything that the
 * schema asks for is there in the right type and extent and inside the file's
 * `bytes`, and nothing else is. Offsets are set. */
enum status inspect_layout(const struct inspection *inspection,
                           const char *path, uint64_t bytes,
                           struct shape *shape, struct layout *layout,
                           struct error *error);

/* What the child sends, in pieces of one size. */
enum piece_kind { PIECE_FOUND = 1, PIECE_TITLE, PIECE_FAULT, PIECE_END };
struct piece {
    int32_t kind;
    struct found found;
    char text[RECORDING_TITLE_SIZE];
};

/* The child's whole life: opens the file behind `fd` by HDF5, sends pieces to
 * `out`, and ends. */
_Noreturn void inspect_child(int fd, int out);

#endif
