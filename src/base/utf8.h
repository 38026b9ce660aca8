/* SPDX-License-Identifier: MIT */
/* What a file says may be any bytes; what we write is UTF-8, and what we show
 * moves no cursor. */
#ifndef HAMON_BASE_UTF8_H
#define HAMON_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The bytes of the UTF-8 character at `at`, 0 where it is none: no overlong
 * forms, no surrogates, nothing past U+10FFFF (RFC 3629). */
size_t utf8_character(const unsigned char *at);

/* The bytes of a byte order mark that a text of `length` bytes begins with: 3
 * or 0. */
size_t utf8_mark(const char *text, size_t length);

/* The code of a character of `length` bytes. */
uint32_t utf8_code(const unsigned char *at, size_t length);

/* The characters of a text: what a terminal shows of it. */
size_t utf8_count(const char *text);

/* The bytes at `at` that a terminal must not get as they are, 0 for what it
 * may: control characters (C0, DEL, C1), what is no UTF-8, ends of lines, and
 * embeddings and isolates that turn the direction of the text behind them. */
size_t utf8_unshown(const unsigned char *at);

/* Writes the text with each byte of those as \xNN. */
void utf8_show(FILE *out, const char *text);

#endif
