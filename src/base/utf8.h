/* SPDX-License-Identifier: MIT */
/* UTF-8: texts of a file may contain any bytes, our output is UTF-8, and
 * nothing that we print moves the cursor of a terminal. */
#ifndef HAMON_BASE_UTF8_H
#define HAMON_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The length in bytes of the UTF-8 character at `at`, or 0 if it is none: no
 * overlong forms, no surrogates, nothing past U+10FFFF (RFC 3629). */
size_t utf8_character(const unsigned char *at);

/* The bytes of a byte order mark that a text of `length` bytes begins with: 3
 * or 0. */
size_t utf8_mark(const char *text, size_t length);

/* The code of a character of `length` bytes. */
uint32_t utf8_code(const unsigned char *at, size_t length);

/* The length of the text, or of its whole characters in `most` bytes. */
size_t utf8_cut(const char *text, size_t most);

/* The number of bytes at `at` that must not be printed as they are, or 0:
 * control characters (C0, DEL, C1), invalid UTF-8, line separators, and
 * embeddings and isolates that change the direction of the text after them. */
size_t utf8_unshown(const unsigned char *at);

/* Writes the text with each such byte as \xNN. */
void utf8_show(FILE *out, const char *text);

/* Copies the text, without invalid UTF-8: each byte that begins no character
 * becomes U+FFFD. A text longer than `size` - 1 bytes is cut after a whole
 * character. Returns the bytes of the copy. */
size_t utf8_copy(char *copy, size_t size, const char *text);

/* The columns of a terminal that utf8_show fills: East Asian wide characters
 * take two. */
size_t utf8_width(const char *text);

#endif
