/* SPDX-License-Identifier: MIT */
/* The parameters of a run, as in its recording's /provenance/parameters and in
 * struct scenario: lines `key = value`, always in the same order. */
#ifndef HAMON_SETTINGS_PARAMETERS_H
#define HAMON_SETTINGS_PARAMETERS_H

#include "base/sha256.h"

#include <stdbool.h>
#include <stddef.h>

enum { PARAMETERS_CHANGE_SIZE = 400 };

/* Do they differ in more than the key `except` (NULL: none)? The first change
 * is reported, "wave.delta was 0.5 and is now 0.25". */
bool parameters_changed(const char *was, const char *is, const char *except,
                        char change[PARAMETERS_CHANGE_SIZE]);

/* The line at *text; then moves *text to the next line; false at the end. */
struct parameter {
    const char *key, *value;
    size_t key_length, value_length;
};
bool parameters_next(const char **text, struct parameter *parameter);

/* Adds the settings that determine what happens in the run to a checksum: not
 * the preset, whose defaults are among the settings, and not the map, which is
 * compared by its cells. `all`: also the title and what is recorded. */
void parameters_sum(const char *text, bool all, struct sha256 *sum);

#endif
