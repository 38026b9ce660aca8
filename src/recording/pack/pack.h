/* SPDX-License-Identifier: MIT */
/* Packing takes a closed recording and writes another with the same rows: its
 * fields in compressed chunks, or whole again for other programs. */
#ifndef HAMON_RECORDING_PACK_PACK_H
#define HAMON_RECORDING_PACK_PACK_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { PACK_THREADS_MOST = 64 };

struct recording;

struct pack_options {
    const char *path;
    const char *out; /* may be the same */
    bool force;      /* an existing `out` that is not `path` is replaced */
    int keep_bits;   /* of the mantissa, of waves and gradients; 0: all */
    bool expand;     /* contiguous, without filter */
    int threads;     /* 1 … PACK_THREADS_MOST */
    /* Opens `path`: recording_open, or for recordings with keyframes what
     * computes the rows between them (view/replay.h). */
    enum status (*open)(const char *path, struct recording **recording,
                        struct error *error);
    /* Called before each row, by any thread, unless NULL: what is not STATUS_OK
     * ends the packing, and nothing is left. */
    enum status (*go_on)(struct error *error);
};

struct pack_result {
    uint64_t bytes_before, bytes; /* of the files */
    uint64_t field_bytes;         /* of the fields, unpacked */
    int64_t rows;
    bool unclosed;  /* the run did not come to its end: what it committed */
    bool keyframed; /* rows between keyframes are still to be computed */
    uint64_t cells; /* more than is believed of so small a file; 0: not */
};

/* Writes `out` under a temporary name, reads it back whole, compares each row
 * with the checksum of the one it was made from (with the row itself if there
 * is no checksum), and only then renames it: `out` is whole or absent.
 * STATUS_INPUT: `path` is no recording, is being written, holds no rows, or is
 * rounded more coarsely already. */
enum status pack_recording(const struct pack_options *options,
                           struct pack_result *result, struct error *error);

#endif
