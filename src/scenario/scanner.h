/* SPDX-License-Identifier: MIT */
/* The words of a libconfig text, one by one, with their lines. */
#ifndef HAMON_SCENARIO_SCANNER_H
#define HAMON_SCENARIO_SCANNER_H

#include <stddef.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_TEXT, /* with its quotes */
    TOKEN_BOOL,
    TOKEN_INT,   /* fits 32 bits, or is too large for them: see fault */
    TOKEN_INT64, /* has an L */
    TOKEN_REAL,
    TOKEN_MARK, /* one of = : ; , { } ( ) [ ] */
    TOKEN_FAULT
};

struct token {
    enum token_kind kind;
    const char *at;
    size_t length;
    int line;
    const char *fault; /* of TOKEN_FAULT: what is wrong, what is allowed */
};

struct scanner {
    const char *at, *end;
    int line;
};

/* The next word; a word that libconfig would misread in silence (a number
 * that does not fit, an unknown escape, a comment without an end) is a
 * TOKEN_FAULT. Numbers are read in the thread's locale, which must be "C". */
struct token scanner_next(struct scanner *scanner);

#endif
