/* SPDX-License-Identifier: MIT */
/* What a recorder has where ranks share the run, for its own files only. */
#ifndef HAMON_RECORDING_SHARED_PARTS_H
#define HAMON_RECORDING_SHARED_PARTS_H

#include "base/crc32c.h"
#include "recording/recorder_parts.h"
#include "recording/shared_file.h"

struct shared {
    struct ranks *ranks;
    struct ranks *commits; /* for the threads that make commits; NULL: none */
    struct shared_file *file;
    struct shared_block block; /* this rank's of the region */
    int fd;                    /* of the rows that each writes by itself */
    bool collective;           /* rows by all at once: there is no fd */
    /* The items: the waves' columns, then the arrival fields; where the columns
     * begin in the file. */
    const struct layout_item **items;
    uint64_t *places; /* (columns) */
    size_t columns;
    /* (rows, columns): of the rows' checksums, until a commit joins them. */
    uint32_t *parts;
    int64_t *numbers; /* (rows): which they are */
    size_t rows, room;
    /* The other ranks' bytes between the rows of the block and its layers,
     * behind it, and the region's in all. */
    struct crc32c_gap row, layer, behind, whole;
    uint64_t slots[SLOTS]; /* where they begin in the file */
    uint32_t slot_crc;     /* in the first rank: of the state being written */
};

#endif
