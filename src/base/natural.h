/* SPDX-License-Identifier: MIT */
/* The order of texts by the numbers in them: "seed=2" before "seed=10", "0.25"
 * before "0.5", "1e-10" before "1e-5". */
#ifndef HAMON_BASE_NATURAL_H
#define HAMON_BASE_NATURAL_H

#include <stdbool.h>

/* Below 0, 0 or above 0, as strcmp; 0 only for the same text. */
int natural_compare(const char *a, const char *b);

/* Do the texts differ at most in their numbers? */
bool natural_same_words(const char *a, const char *b);

#endif
