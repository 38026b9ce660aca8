/* SPDX-License-Identifier: MIT */
/* What a recorder has where ranks share the run, for its own files only. */
#ifndef HAMON_RECORDING_SHARED_PARTS_H
#define HAMON_RECORDING_SHARED_PARTS_H

#include "base/crc32c.h"
#include "recording/recorder_parts.h"
#include "recording/shared_file.h"

struct shared {
    struct ranks *ranks;
    struct shared_file *file;
    struct shared_block block; /* this rank's of the region */
    /* The items: the waves' columns, then the arrival fields. */
    const struct layout_item **items;
    size_t columns;
    uint32_t *parts; /* (columns): of a row's checksums */
    /* The other ranks' bytes between the rows of the block and its layers,
     * behind it, and the region's in all. */
    struct crc32c_gap row, layer, behind, whole;
    uint64_t slots[SLOTS]; /* where they begin in the file */
    uint32_t slot_crc;     /* in the first rank: of the state being written */
};

#endif
