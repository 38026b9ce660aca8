/* SPDX-License-Identifier: MIT */
/* Numbers as text. */
#ifndef HAMON_BASE_REAL_H
#define HAMON_BASE_REAL_H

#include "base/status.h"

#include <stddef.h>

enum { REAL_SIZE = 40 };

/* The shortest decimal digits that strtod reads back as the same number: 0.3,
 * not 0.29999999999999999. Returns text. */
const char *real_text(double value, char text[REAL_SIZE]);

/* The same in a buffer that lasts to the end of the enclosing block. */
#define REAL_TEXT(value) real_text((value), (char[REAL_SIZE]){ 0 })

/* The numbers of a list "[0.5, 1.0]", of one at least, up to `most` of them
 * into `numbers`; returns how many there are, or 0 for another text. */
size_t real_list(const char *text, double numbers[], size_t most);

/* All of them. STATUS_INPUT for another text. Release with memory_release. */
enum status real_list_new(const char *text, double **numbers, size_t *count,
                          struct error *error);

/* For qsort and bsearch: doubles, ascending. */
int real_compare(const void *a, const void *b);

#endif
