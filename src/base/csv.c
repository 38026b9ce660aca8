/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include "base/real.h"
#include "base/utf8.h"

#include <math.h>
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

void csv_text(FILE *out, const char *text)
{
    const bool quotes = strpbrk(text, ",\"\r\n") != NULL;
    if (quotes)
        putc('"', out);
    if (is_formula(text))
        putc('\'', out);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t hidden = strchr("\t\r\n", *at) ? 0 : utf8_unshown(at);
        size_t length = hidden ? hidden : utf8_character(at);
        if (*at == '"')
            putc('"', out);
        for (size_t i = 0; i < length; i++)
            fprintf(out, hidden ? "\\x%02x" : "%c", at[i]);
        at += length;
    }
    if (quotes)
        putc('"', out);
}

void csv_number(FILE *out, double value)
{
    putc(',', out);
    if (isfinite(value))
        fputs(REAL_TEXT(value), out);
}
