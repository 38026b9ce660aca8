/* SPDX-License-Identifier: MIT */
/* Numbers as text. */
#ifndef HAMON_BASE_REAL_H
#define HAMON_BASE_REAL_H

enum { REAL_SIZE = 32 };

/* The shortest decimal digits that strtod reads back as the same number: 0.3,
 * not 0.29999999999999999. Returns text. */
const char *real_text(double value, char text[REAL_SIZE]);

/* The same in a buffer that lasts to the end of the enclosing block. */
#define REAL_TEXT(value) real_text((value), (char[REAL_SIZE]){ 0 })

#endif
