/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

size_t utf8_character(const unsigned char *at)
{
    static const struct {
        unsigned char low, high, next_low, next_high;
        size_t length;
    } rows[] = {
        { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
        { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
        { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    if (at[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (at[0] < rows[i].low || at[0] > rows[i].high)
            continue;
        if (at[1] < rows[i].next_low || at[1] > rows[i].next_high)
            return 0;
        for (size_t b = 2; b < rows[i].length; b++)
            if (at[b] < 0x80 || at[b] > 0xbf)
                return 0;
        return rows[i].length;
    }
    return 0;
}

size_t utf8_mark(const char *text, size_t length)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t bytes = sizeof mark - 1;
    return length >= bytes && memcmp(text, mark, bytes) == 0 ? bytes : 0;
}

uint32_t utf8_code(const unsigned char *at, size_t length)
{
    uint32_t code = length < 2 ? at[0] : at[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (at[i] & 0x3fU);
    return code;
}

size_t utf8_cut(const char *text, size_t most)
{
    const size_t length = strlen(text);
    if (length <= most)
        return length;
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    return most;
}

size_t utf8_unshown(const unsigned char *at)
{
    size_t length = utf8_character(at);
    if (length == 0)
        return 1;
    uint32_t code = utf8_code(at, length);
    bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    bool line = code == 0x2028 || code == 0x2029;
    bool turns = (code >= 0x202a && code <= 0x202e) ||
                 (code >= 0x2066 && code <= 0x2069);
    return control || line || turns ? length : 0;
}

void utf8_show(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t hidden = utf8_unshown(at);
        size_t length = hidden ? hidden : utf8_character(at);
        for (size_t i = 0; i < length; i++)
            fprintf(out, hidden ? "\\x%02x" : "%c", at[i]);
        at += length;
    }
}

size_t utf8_copy(char *copy, size_t size, const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    size_t used = 0;
    while (*text) {
        size_t length = utf8_character((const unsigned char *)text);
        size_t more = length ? length : sizeof replacement - 1;
        if (used + more >= size)
            break;
        memcpy(copy + used, length ? text : replacement, more);
        used += more;
        text += length ? length : 1;
    }
    copy[used] = '\0';
    return used;
}

/* Unicode's East Asian Width: wide and full-width blocks. */
static bool is_wide(uint32_t code)
{
    static const uint32_t blocks[][2] = {
        { 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },
        { 0xa960, 0xa97c },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
        { 0xfe30, 0xfe6f },   { 0xff01, 0xff60 },   { 0xffe0, 0xffe6 },
        { 0x1f300, 0x1faff }, { 0x20000, 0x3fffd },
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (code >= blocks[i][0] && code <= blocks[i][1])
            return true;
    return false;
}

size_t utf8_width(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t width = 0;
    while (*at) {
        size_t hidden = utf8_unshown(at), length = utf8_character(at);
        if (hidden)
            width += 4 * hidden;
        else
            width += is_wide(utf8_code(at, length)) ? 2 : 1;
        at += hidden ? hidden : length;
    }
    return width;
}
