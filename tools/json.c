/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of the UTF-8 character at `at`, 0 where it is none: no overlong
 * forms, no surrogates, nothing past U+10FFFF (RFC 3629). */
static size_t character(const unsigned char *at)
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

static void put_text(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    fputc('"', out);
    while (*at) {
        size_t length = character(at);
        if (!length)
            fputs("\\ufffd", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at == '\n')
            fputs("\\n", out);
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, length, out);
        at += length ? length : 1;
    }
    fputc('"', out);
}

static void new_line(struct json *json)
{
    fprintf(json->out, "\n%*s", 2 * json->depth, "");
}

static void start(struct json *json, const char *key)
{
    if (json->started)
        fputc(',', json->out);
    if (json->depth)
        new_line(json);
    json->started = true;
    if (!key)
        return;
    put_text(json->out, key);
    fputs(": ", json->out);
}

static void open(struct json *json, const char *key, char bracket)
{
    start(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->started = false;
}

static void end(struct json *json, char bracket)
{
    json->depth--;
    if (json->started)
        new_line(json);
    fputc(bracket, json->out);
    json->started = true;
    if (!json->depth)
        fputc('\n', json->out);
}

void json_object(struct json *json, const char *key)
{
    open(json, key, '{');
}

void json_object_end(struct json *json)
{
    end(json, '}');
}

void json_array(struct json *json, const char *key)
{
    open(json, key, '[');
}

void json_array_end(struct json *json)
{
    end(json, ']');
}

void json_text(struct json *json, const char *key, const char *text)
{
    start(json, key);
    if (text)
        put_text(json->out, text);
    else
        fputs("null", json->out);
}

void json_whole(struct json *json, const char *key, int64_t value)
{
    start(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void json_truth(struct json *json, const char *key, bool value)
{
    start(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_real(struct json *json, const char *key, double value)
{
    char digits[32] = "null";
    start(json, key);
    for (int precision = 1; isfinite(value) && precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    fputs(digits, json->out);
}
