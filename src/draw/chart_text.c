/* SPDX-License-Identifier: MIT */
#include "draw/chart.h"

#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* Advances of a sans serif, rounded up by class. */
static double letter_ems(uint32_t code)
{
    if (code > 0x2e7f) /* Chinese and Japanese characters, and beyond */
        return 1;
    if (code > 0x7f)
        return .66;
    if (strchr("ijl'|", (int)code))
        return .28;
    if (strchr(" ,.:;-()[]/ftrI!", (int)code))
        return .4;
    if (strchr("mwMW@%=+<>_", (int)code))
        return code == 'M' || code == 'm' || code == 'W' ? 1 : .84;
    return .64;
}

double chart_text_ems(const char *text)
{
    double ems = 0;
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t length = utf8_character(at);
        ems += letter_ems(length ? utf8_code(at, length) : '?');
        at += length ? length : 1;
    }
    return ems;
}

void chart_say(struct chart *chart, int kind, int place, size_t series,
               const char *text)
{
    FILE *file = chart->data.file;
    fprintf(file, "%d %d %zu %.2f \"", kind, place, series,
            chart_text_ems(text));
    const unsigned char *begin = (const unsigned char *)text;
    for (const unsigned char *at = begin; *at;) {
        size_t length = utf8_character(at), hidden = utf8_unshown(at);
        if (*at == '"')
            fputc('\'', file);
        else if (*at == '\\') /* the division slash's mirror: U+2216 */
            fputs("\xe2\x88\x96", file);
        else if (hidden)
            fputc('?', file);
        else if (*at == '>' && at - begin > 1 && at[-1] == ']' && at[-2] == ']')
            fputs("\xe2\x80\xba", file); /* "]]>" is no text in an SVG */
        else
            fwrite(at, 1, length, file);
        at += hidden ? hidden : length;
    }
    fputs("\"\n", file);
}
