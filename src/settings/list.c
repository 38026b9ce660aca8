/* SPDX-License-Identifier: MIT */
/* --keys: the table of keys, for readers, in 100 columns. */
#include "settings/keys.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 4, TEXT_SIZE = 512 };
static const int widths[COLUMNS] = { 22, 20, 22, 30 };

/* The bytes of `text` that fill one line of `width` columns: whole words if at
 * least one fits. The continuation bytes of UTF-8 take no column. */
static size_t line_length(const char *text, int width)
{
    size_t length = 0, last_blank = 0;
    int columns = 0;
    for (; text[length]; length++) {
        if (text[length] == ' ')
            last_blank = length;
        columns += (text[length] & 0xc0) != 0x80;
        if (columns > width)
            return last_blank ? last_blank : length;
    }
    return length;
}

static void print_cell(FILE *out, const char *text, size_t length, int width)
{
    int columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += (text[i] & 0xc0) != 0x80;
    fprintf(out, "%.*s%*s", (int)length, text, width - columns + 2, "");
}

/* The cells in one row, each wrapped to its column. */
static void print_row(FILE *out, const char *cells[COLUMNS])
{
    bool more = true;
    while (more) {
        size_t lengths[COLUMNS];
        int last = 0;
        more = false;
        for (int i = 0; i < COLUMNS; i++) {
            lengths[i] = line_length(cells[i], widths[i]);
            last = lengths[i] ? i : last;
        }
        for (int i = 0; i < last; i++)
            print_cell(out, cells[i], lengths[i], widths[i]);
        fprintf(out, "%.*s\n", (int)lengths[last], cells[last]);
        for (int i = 0; i < COLUMNS; i++) {
            cells[i] += lengths[i];
            cells[i] += strspn(cells[i], " ");
            more = more || *cells[i];
        }
    }
}

static void print_default(const struct key *key, char *text, size_t size)
{
    if (key->depends)
        snprintf(text, size, "%s", key->depends);
    else if (key->by_axes[0])
        snprintf(text, size, "%s; %s in 3D", key->by_axes[0], key->by_axes[1]);
    else if (key->otherwise && key->best)
        snprintf(text, size, "%s best: %s", key->otherwise, key->best);
    else if (key->otherwise)
        snprintf(text, size, "%s", key->otherwise);
    else
        snprintf(text, size, "%s", key->required ? "(must be given)" : "-");
}

static void print_range(const struct key *key, char *text, size_t size)
{
    const char *kind = key->type == KEY_WHOLE ? "whole" : "real";
    const char *over = key->above ? "over " : "";
    if (isinf(key->high))
        snprintf(text, size, "%s, %s%g", kind, over, key->low);
    else if (key->high >= 0x1p63)
        snprintf(text, size, "%s, %g to 2^63 - 1", kind, key->low);
    else
        snprintf(text, size, "%s, %s%g to %g", kind, over, key->low, key->high);
}

/* Shorter than key_describe, because a column has little room. */
static void print_allowed(const struct key *key, char *text, size_t size)
{
    static const char *const words[KEY_TYPES] = {
        [KEY_SWITCH] = "true, false",
        [KEY_TEXT] = "text",
        [KEY_PATH] = "text",
        [KEY_PLACE] = "[x, y] or \"random\"",
        [KEY_POSITIONS] = "([x, y], ...)",
        [KEY_BOX] = "[x0, y0, x1, y1]",
        [KEY_NUMBERS] = "[number, ...]",
        [KEY_ROWS] = "(\"..@.\", ...)",
        [KEY_LAYERS] = "((\"..@.\", ...), ...)",
        [KEY_COLOR] = "\"#rrggbb\"",
        [KEY_SYMBOL] = "one character",
    };
    if (key->type == KEY_WHOLE || key->type == KEY_REAL)
        print_range(key, text, size);
    else if (words[key->type])
        snprintf(text, size, "%s", words[key->type]);
    else
        key_names(key, "", text, size);
}

static void print_key(FILE *out, const struct key *key)
{
    char standard[TEXT_SIZE], allowed[TEXT_SIZE], help[TEXT_SIZE];
    print_default(key, standard, sizeof standard);
    print_allowed(key, allowed, sizeof allowed);
    snprintf(help, sizeof help, "%s%s%s%s", key->unit ? "[" : "",
             key->unit ? key->unit : "", key->unit ? "] " : "", key->help);
    print_row(out, (const char *[]){ key->path, standard, allowed, help });
}

static bool is_heading(const struct key *key)
{
    return key->type == KEY_GROUP || key->type == KEY_GROUPS;
}

void keys_print(FILE *out)
{
    fputs(
        "The keys of a scenario. In 3D positions and boxes have z too: "
        "[x, y, z]. A list ( ... ) is\n"
        "accepted for an array [ ... ], and a whole number for a real one. "
        "--set KEY=VALUE overrides the\n"
        "scenario; keys in lists have an index: agents.[0].speed. It adds a "
        "group that the scenario lacks:\n"
        "--set wave.delta=0.1 adds waves. A second value, after best:, is the "
        "default with preset = \"best\".\n\n",
        out);
    print_row(
        out, (const char *[]){ "KEY", "DEFAULT", "ALLOWED", "[UNIT] MEANING" });
    for (const struct key *key = keys; key->path; key++) {
        if (is_heading(key))
            fprintf(out, "\n%s = %s  %s\n", key->path,
                    key->type == KEY_GROUP ? "{ ... };" : "( { ... }, ... );",
                    key->help);
        else
            print_key(out, key);
    }
}
