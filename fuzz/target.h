/* SPDX-License-Identifier: MIT */
/* Shared by the fuzz targets: each reads `data` as one kind of file and checks
 * what the reader promises. Built with --enable-fuzzing they are libFuzzer's;
 * else fuzz/replay.c runs them over their corpora. */
#ifndef HAMON_FUZZ_TARGET_H
#define HAMON_FUZZ_TARGET_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Called once before the first input; not every target has it. */
int LLVMFuzzerInitialize(int *count, char ***arguments) __attribute__((weak));

/* Ends the program if a reader did not return STATUS_OK, or STATUS_INPUT with
 * one line of printable text that begins with `path`. */
void hold_to_word(enum status status, const struct error *error,
                  const char *path);

/* The path of a file with this ending that contains exactly `data`; the same
 * file each time, removed at the end of the program. */
const char *scratch_file(const char *ending, const uint8_t *data, size_t size);

#endif
