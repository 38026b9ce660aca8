/* SPDX-License-Identifier: MIT */
/* What a run is made with, as its recording's /provenance/parameters and
 * struct scenario have it: lines `key = value`, always in the same order. */
#ifndef HAMON_TOOLS_PARAMETERS_H
#define HAMON_TOOLS_PARAMETERS_H

#include <stdbool.h>

enum { PARAMETERS_CHANGE_SIZE = 400 };

/* Are they others than they were, by more than the key `except` (NULL: none)?
 * The first change is told, "wave.delta was 0.5 and is now 0.25". */
bool parameters_changed(const char *was, const char *is, const char *except,
                        char change[PARAMETERS_CHANGE_SIZE]);

#endif
