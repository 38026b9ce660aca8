/* SPDX-License-Identifier: MIT */
/* The parser of libconfig's language: from a text to a tree of settings.
 * libconfig itself (1.5) accepts numbers that overflow, included files, bytes
 * after a NUL, unknown escapes and comments without an end, and its errors are
 * only "syntax error". Here each error has its line and key, and says what is
 * allowed. */
#ifndef HAMON_SCENARIO_PARSE_H
#define HAMON_SCENARIO_PARSE_H

#include "base/status.h"
#include "settings/keys.h"
#include "settings/setting.h"

#include <stddef.h>

enum {
    SCENARIO_BYTES_LIMIT = 16 << 20,
    SCENARIO_SETTINGS_LIMIT = 250000,
    SCENARIO_DEPTH_LIMIT = 8,
};

/* The whole text of a scenario, or of another file with a table of keys, into
 * the empty `root`. */
enum status parse_text(const char *text, size_t length, const char *file,
                       const struct key *table, struct setting *root,
                       struct error *error);

/* Parses the value of an override into the group `parent` as `name`, which it
 * does not have yet; messages begin with `head`. */
enum status parse_value(const char *value, const struct key *key,
                        const char *head, struct setting *parent,
                        const char *name, struct error *error);

#endif
