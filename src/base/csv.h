/* SPDX-License-Identifier: MIT */
#ifndef HAMON_BASE_CSV_H
#define HAMON_BASE_CSV_H

#include <stdio.h>

/* Writes a text as a cell of CSV. It is quoted if RFC 4180 requires it. A text
 * that a spreadsheet would take for a formula (it begins with = + - @ and is
 * not a number) gets an apostrophe before it. Bytes that must not reach a
 * terminal (utf8_unshown), except ends of lines and tabs, are written as \xNN.
 */
void csv_text(FILE *out, const char *text);

/* A comma, then a number; no number if it is not finite. */
void csv_number(FILE *out, double value);

#endif
