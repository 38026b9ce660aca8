/* SPDX-License-Identifier: MIT */
#include "cli/json.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EXACT = 0x1p53; /* integers below it are exact doubles */

static void put_text(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    fputc('"', out);
    while (*at) {
        size_t length = utf8_character(at);
        if (!length)
            fputs("\\ufffd", out);
        else if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at == '\n')
            fputs("\\n", out);
        else if (utf8_unshown(at) || *at == '<')
            fprintf(out, "\\u%04x", utf8_code(at, length));
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
    if (fabs(value) < EXACT && value == floor(value)) { /* 600, not 6e+02 */
        fprintf(json->out, "%.0f", value);
        return;
    }
    for (int precision = 1; isfinite(value) && precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    fputs(digits, json->out);
}
