/* SPDX-License-Identifier: MIT */
#ifndef HAMON_BASE_CSV_H
#define HAMON_BASE_CSV_H

#include <stdio.h>

/* A text as a cell of CSV: in quotes where RFC 4180 wants them, and with an
 * apostrophe before what a spreadsheet would take for a formula (= + - @ at its
 * head) and is no number. What a terminal must not get (utf8_unshown), ends of
 * lines and tabs apart, is written as \xNN. */
void csv_text(FILE *out, const char *text);

/* The same, always in quotes. */
void csv_quoted(FILE *out, const char *text);

#endif
