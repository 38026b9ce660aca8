/* SPDX-License-Identifier: MIT */
/* One value of a key: from text to the struct of the key's group, checked
 * against the table, and from the struct to text. It is used for scenarios, the
 * settings in a recording and --vary. */
#ifndef HAMON_SETTINGS_VALUE_H
#define HAMON_SETTINGS_VALUE_H

#include "base/status.h"
#include "settings/groups.h"
#include "settings/keys.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum value_type {
    VALUE_WHOLE,
    VALUE_REAL,
    VALUE_SWITCH,
    VALUE_TEXT,
    VALUE_GROUP,
    VALUE_LIST,
};

/* A value in a text, before the key's check. */
struct value {
    enum value_type type;
    int64_t whole; /* also for a switch; for a list its length */
    double real;
    const char *text; /* borrowed */
};

/* "0.9 is not allowed; a number from 0 to 0.5 is": STATUS_INPUT. */
enum status value_refuse(const struct key *key, const struct value *value,
                         struct error *error);

/* Stores the value of a scalar, name or text at `at`. STATUS_INPUT if the key
 * does not allow it: the message says what is wrong and what is allowed, and
 * the caller puts file, line and key before it. A text is copied (the one
 * before it released): release it with memory_release. */
enum status value_store(const struct key *key, const struct value *value,
                        void *at, struct error *error);

/* The same for the value in a line `key = value` of a recording, --vary or the
 * table of keys: a text may have quotes or not. Boxes and lists of numbers are
 * taken too; of the latter the text itself, which must outlive the struct. */
enum status value_take(const struct key *key, const char *text, void *at,
                       struct error *error);

/* The default of a key, as libconfig text, or NULL. */
const char *value_default(const struct key *key, enum preset preset);

/* Gives every key of a group its default of preset paper. Scalars and names
 * only; keys without a default remain unchanged. */
void settings_default(const char *group, void *at);
struct arrival_settings arrival_default(void);

/* The form of a printed value: nested, as libconfig reads it; or flat, each on
 * one line and texts without quotes. */
struct value_format {
    int dims; /* of the map */
    bool flat;
};

/* Prints a value of any type except groups; `indent` is that of its key. */
void value_print(FILE *out, const struct value_format *format,
                 const struct key *key, const void *at, int indent);

#endif
