/* SPDX-License-Identifier: MIT */
/* What a file says may be any bytes; what we write is UTF-8. */
#ifndef HAMON_TOOLS_UTF8_H
#define HAMON_TOOLS_UTF8_H

#include <stddef.h>

/* The bytes of the UTF-8 character at `at`, 0 where it is none: no overlong
 * forms, no surrogates, nothing past U+10FFFF (RFC 3629). */
size_t utf8_character(const unsigned char *at);

#endif
