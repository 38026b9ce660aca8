/* SPDX-License-Identifier: MIT */
#include "draw/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_formula(const char *text)
{
    char *end;
    if (!*text || !strchr("=+-@\t\r", *text))
        return false;
    strtod(text, &end);
    return text[1] && (end == text || *end);
}

static void put(FILE *out, const char *text, bool quotes)
{
    if (quotes)
        putc('"', out);
    if (is_formula(text))
        putc('\'', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    if (quotes)
        putc('"', out);
}

void csv_text(FILE *out, const char *text)
{
    put(out, text, strpbrk(text, ",\"\r\n") != NULL);
}

void csv_quoted(FILE *out, const char *text)
{
    put(out, text, true);
}
