/* SPDX-License-Identifier: MIT */
#include "tools/report/html.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "words/words.h"

#include <ctype.h>
#include <string.h>

static const char mark[] = "<!-- part ";

/* After the head of the part; up to the next part or the end. */
static const char *find_part(const char *page, const char *part,
                             const char **end)
{
    size_t length = strlen(part);
    for (const char *at = page; (at = strstr(at, mark)); at++) {
        const char *name = at + sizeof mark - 1;
        if (strncmp(name, part, length) != 0 ||
            strncmp(name + length, " -->\n", 5) != 0)
            continue;
        const char *from = name + length + 5;
        *end = strstr(from, mark);
        if (!*end)
            *end = from + strlen(from);
        return from;
    }
    *end = page;
    return page;
}

static void put_slot(FILE *out, const struct html_slot *slots, const char *name,
                     size_t length)
{
    if (strncmp(name, "_(\"", 3) == 0) { /* a word of the catalogue */
        char *word = need_format("%.*s", (int)length - 5, name + 3);
        html_text(out, words_of(word));
        memory_release(word);
        return;
    }
    for (; slots->name; slots++) {
        if (strlen(slots->name) != length ||
            strncmp(slots->name, name, length) != 0)
            continue;
        if (slots->write)
            slots->write(out, slots->of);
        else if (slots->text)
            html_text(out, slots->text);
        return;
    }
}

void html_part(FILE *out, const char *page, const char *part,
               const struct html_slot *slots)
{
    const char *end, *at = find_part(page, part, &end);
    while (at < end) {
        const char *open = strstr(at, "{{");
        const char *close = open ? strstr(open, "}}") : NULL;
        if (!close || close > end) {
            fwrite(at, 1, (size_t)(end - at), out);
            return;
        }
        fwrite(at, 1, (size_t)(open - at), out);
        put_slot(out, slots, open + 2, (size_t)(close - open) - 2);
        at = close + 2;
    }
}

void html_text(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        size_t length = utf8_character(at);
        const char *instead = NULL;
        if (utf8_unshown(at) && *at != '\n' && *at != '\t')
            instead = "&#xfffd;";
        else if (*at == '&')
            instead = "&amp;";
        else if (*at == '<')
            instead = "&lt;";
        else if (*at == '>')
            instead = "&gt;";
        else if (*at == '"')
            instead = "&quot;";
        else if (*at == '\'')
            instead = "&#39;";
        if (instead)
            fputs(instead, out);
        else
            fwrite(at, 1, length, out);
        at += length ? length : 1;
    }
}

void html_address(const char *path, char *address, size_t size)
{
    size_t used = 0;
    for (; *path && used + 4 < size; path++) {
        unsigned char byte = (unsigned char)*path;
        if (byte < 0x80 && (isalnum(byte) || strchr("-._~/", byte)))
            address[used++] = (char)byte;
        else
            used +=
                (size_t)snprintf(address + used, size - used, "%%%02X", byte);
    }
    address[used] = '\0';
}

char *html_base64(const uint8_t *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs"
                                 "tuvwxyz0123456789+/";
    char *text = need_memory((count + 2) / 3 * 4 + 1, 1), *to = text;
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= left > 2 ? bytes[i + 2] : 0;
        *to++ = digits[bits >> 18];
        *to++ = digits[bits >> 12 & 63];
        *to++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[bits & 63] : '=';
    }
    return text;
}
