/* SPDX-License-Identifier: MIT */
/* Writes JSON, one value after another: commas, indents and escapes are made
 * here, so that the output is always valid. */
#ifndef HAMON_CLI_JSON_H
#define HAMON_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    int depth;
    bool started; /* the innermost object or array has a value already */
};

/* `key` is NULL in an array and for the outermost value. */
void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array(struct json *json, const char *key);
void json_array_end(struct json *json);

/* NULL gives null. Bytes that are no UTF-8 become U+FFFD. < is escaped, so that
 * no text can end an HTML script that contains it. */
void json_text(struct json *json, const char *key, const char *text);
void json_whole(struct json *json, const char *key, int64_t value);
void json_truth(struct json *json, const char *key, bool value);

/* Writes the fewest digits that read back as the same number; integers without
 * an exponent; null if it is not finite, because JSON has no such number. */
void json_real(struct json *json, const char *key, double value);

#endif
