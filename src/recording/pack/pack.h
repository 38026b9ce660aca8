/* SPDX-License-Identifier: MIT */
/* Packing reads a closed recording and writes another one with the same frames:
 * with its fields in compressed chunks or, for other programs, contiguous
 * again. */
#ifndef HAMON_RECORDING_PACK_PACK_H
#define HAMON_RECORDING_PACK_PACK_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { PACK_THREADS_MOST = 64 };

struct recording;

struct pack_options {
    const char *path;
    const char *out; /* may equal path */
    /* An existing `out` that is not `path` is replaced, and a `path` that is
     * write-protected or rounded. */
    bool force;
    int keep_bits; /* bits of the mantissa of waves and gradients; 0: all */
    bool expand;   /* contiguous, without compression */
    int threads;   /* 1 … PACK_THREADS_MOST */
    /* Opens `path`: recording_open or, for recordings with keyframes, the
     * function that computes the frames between them (view/replay.h). */
    enum status (*open)(const char *path, struct recording **recording,
                        struct error *error);
    /* Called before each row, by any thread, unless NULL: if it does not return
     * STATUS_OK, packing ends and no file is left. */
    enum status (*go_on)(struct error *error);
};

struct pack_result {
    uint64_t bytes_before, bytes; /* of the files */
    uint64_t field_bytes;         /* of the fields, unpacked */
    int64_t rows;
    bool unclosed;  /* the run did not end; only committed frames are packed */
    bool keyframed; /* frames between keyframes are still not stored */
    uint64_t cells; /* if over the limit for a file of this size; else 0 */
};

/* Writes `out` under a temporary name, reads it back completely, compares each
 * row with the checksum of its original (or with the original if it has no
 * checksum), and only then renames it: `out` is complete or absent.
 * STATUS_INPUT: `out` is a symbolic link; `path` is not a recording, is being
 * written, has no frames, or is already rounded to fewer bits. */
enum status pack_recording(const struct pack_options *options,
                           struct pack_result *result, struct error *error);

#endif
