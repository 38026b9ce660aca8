/* SPDX-License-Identifier: MIT */
/* A closed recording rewritten: its fields in compressed chunks, or whole again
 * for other programs. */
#ifndef HAMON_RECORDING_PACK_H
#define HAMON_RECORDING_PACK_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { PACK_THREADS_MOST = 64 };

struct pack_options {
    const char *path;
    const char *out; /* may be the same */
    bool force;      /* an existing `out` that is not `path` is replaced */
    int keep_bits;   /* of the mantissa, of waves and gradients; 0: all */
    bool expand;     /* contiguous, without filter */
    int threads;     /* 1 … PACK_THREADS_MOST */
    /* Asked before each row, by any thread: what is not STATUS_OK ends the
     * packing, and nothing is left. NULL: nothing is asked. */
    enum status (*go_on)(struct error *error);
};

struct pack_result {
    uint64_t bytes_before, bytes; /* of the files */
    uint64_t field_bytes;         /* of the fields, unpacked */
    int64_t rows;
    bool unclosed;  /* the run did not come to its end: what it committed */
    bool keyframed; /* rows between keyframes are still to be computed */
};

/* Writes `out` under a temporary name, reads it back whole, holds each row to
 * the checksum of the one it was made from (to the row itself where none is
 * kept), and only then gives it its name: whole or absent.
 * STATUS_INPUT: `path` is no recording, is being written, holds no rows, or is
 * rounded more coarsely already. */
enum status pack_recording(const struct pack_options *options,
                           struct pack_result *result, struct error *error);

#endif
