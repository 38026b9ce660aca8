/* SPDX-License-Identifier: MIT */
#include "draw/chart/labels.h"

#include "base/memory.h"
#include "base/need.h"
#include "draw/chart/chart.h"
#include "draw/figure/ticks.h"
#include "settings/keys.h"
#include "words/words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* "wave", or with keys "wave, 1e-05"; the group of a row without a method. */
static char *name_of(const struct labels_row *row, bool grouped)
{
    return !*row->method ? need_text(row->group)
           : grouped     ? need_format("%s, %s", row->method, row->group)
                         : need_text(row->method);
}

/* The length of the name, if that is what `text` begins with before the
 * character `end`. */
static bool begins(const char *text, const char *name, char end)
{
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == end;
}

static bool names_row(const struct labels_rows *rows, size_t row,
                      const char *text, char end)
{
    char *name = name_of(&rows->row[row], rows->key_count);
    bool named = begins(text, name, end);
    memory_release(name);
    return named;
}

bool labels_names(const char *text, const char *name)
{
    return begins(text, name, '=');
}

size_t labels_keys(const char *const *items, size_t count, char **text,
                   const char ***names)
{
    size_t commas = 0, used = 0;
    char *all = need_text("");
    for (size_t i = 0; i < count; i++) {
        char *more = need_format("%s%s%s", all, i ? "," : "", items[i]);
        memory_release(all);
        all = more;
    }
    for (const char *at = all; *at; at++)
        commas += *at == ',';
    *names = need_memory(commas + 1, sizeof **names);
    *text = all;
    for (char *rest = all; count && rest;)
        (*names)[used++] = strsep(&rest, ",");
    return used;
}

const char *labels_text(const struct labels_given *given, const char *name)
{
    for (size_t i = given->count; i-- > 0;)
        if (begins(given->items[i], name, '='))
            return given->items[i] + strlen(name) + 1;
    return NULL;
}

static const char *text_for_row(const struct labels_given *given,
                                const struct labels_rows *rows, size_t row)
{
    char *name = name_of(&rows->row[row], rows->key_count);
    const char *text = labels_text(given, name);
    memory_release(name);
    return text;
}

bool labels_known(const struct labels_rows *rows, const char *text)
{
    bool known = false;
    for (size_t k = 0; k < rows->key_count; k++)
        known |= begins(text, rows->keys[k], '=');
    for (size_t r = 0; r < rows->count; r++)
        known |= names_row(rows, r, text, '=') ||
                 begins(text, rows->row[r].method, '=');
    return known;
}

static enum status check_given(const struct labels_rows *rows,
                               const struct labels_given *given,
                               struct error *error)
{
    for (size_t i = 0; i < given->count; i++)
        if (!labels_known(rows, given->items[i]))
            return error_set(error, STATUS_INPUT,
                             "--label '%.200s': NAME=TEXT is required, with a "
                             "method, a key of --by, or a row METHOD, VALUE "
                             "of the table as NAME",
                             given->items[i]);
    return STATUS_OK;
}

/* ---- words ---- */

static const char *words_of_method(const char *method)
{
    static const char *const words[][2] = {
        { "wave", N_("wave") },
        { "lee", N_("Lee’s front") },
        { "astar", "A*" },
        { "dstar-lite", "D* Lite" },
        { "dijkstra", N_("Dijkstra") },
        { "fast-marching", N_("fast marching") },
        { "fast-marching-fine", N_("fast marching, fine") },
        { "exact", N_("exact path") },
        { "relay", N_("relay") },
        { "relay-complete", N_("complete relay") },
        { "pincer", N_("pincer") },
        { "wave-pincer", N_("wave pincer") },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], method) == 0)
            return _(words[i][1]);
    return method;
}

const char *labels_method(const struct labels_given *given, const char *method)
{
    const char *words = labels_text(given, method);
    return words ? words : words_of_method(method);
}

char *labels_axis(const char *path)
{
    char plain[256];
    key_plain_path(path, plain, sizeof plain);
    const struct key *key = key_of(plain);
    char *words = chart_key_words(path);
    char *unit = key && key->unit ? need_format(_(" (%s)"), _(key->unit))
                                  : need_text("");
    char *name = need_format("%s%s", words, unit);
    memory_release(unit);
    memory_release(words);
    return name;
}

static const char *leaf_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* "capture radius", or "c" for a speed of waves; if several keys with this last
 * word differ, with the word before it: "target speed", "regions 1 c". */
static char *words_of_key(const struct labels_rows *rows, size_t k,
                          const char *unit)
{
    const char *path = rows->keys[k];
    size_t alike = 0;
    for (size_t i = 0; i < rows->key_count; i++)
        alike += strcmp(leaf_of(rows->keys[i]), leaf_of(path)) == 0;
    const char *leaf = strcmp(unit, "c") == 0 ? "c" : leaf_of(path);
    const size_t before = (size_t)(leaf_of(path) - path);
    char *end = alike > 1 ? need_format("%.*s%s", (int)before, path, leaf)
                          : need_text(leaf);
    char *words = chart_key_words(end);
    memory_release(end);
    return words;
}

/* The place of the number's last digit. */
static double last_digit(double value)
{
    double step = pow(10, floor(log10(fabs(value)) + 1e-9));
    for (int i = 0; i < 12; i++, step /= 10)
        if (fabs(value / step - round(value / step)) < 1e-6)
            break;
    return step;
}

static char *words_of_number(double value)
{
    char text[TICK_LABEL_SIZE];
    ticks_label(value, value != 0 ? last_digit(value) : 1, text);
    return need_text(text);
}

/* "rooms" of maps/rooms.map, the run's folder of runs/seed=1/run.h5. */
static char *words_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (slash && strcmp(name, "run.h5") == 0) {
        const char *from = slash;
        while (from > path && from[-1] != '/')
            from--;
        return need_format("%.*s", (int)(slash - from), from);
    }
    const char *dot = strrchr(name, '.');
    return need_format(
        "%.*s", (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)),
        name);
}

/* Of a value that is a word; names of detectors and methods stay. */
static const char *words_of_choice(const char *value)
{
    static const char *const words[] = { N_("fixed"),  N_("free"),
                                         N_("paper"),  N_("signed"),
                                         N_("flux"),   N_("gradient"),
                                         N_("impulse") };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], value) == 0)
            return _(words[i]);
    return value;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end > text && !*end && isfinite(*number);
}

/* Of a value of the key with this plain path. */
static bool is_path(const char *path)
{
    const struct key *key = key_of(path);
    return strcmp(path, "file") == 0 || (key && key->type == KEY_PATH);
}

char *labels_value(const char *key, const char *value)
{
    char path[256];
    double number;
    key_plain_path(key, path, sizeof path);
    return is_path(path)                 ? words_of_path(value)
           : read_number(value, &number) ? words_of_number(number)
           : strcmp(leaf_of(path), "method") == 0
               ? need_text(words_of_method(value))
               : need_text(words_of_choice(value));
}

static char *words_of_value(const struct labels_rows *rows, size_t k,
                            const char *given, const char *value)
{
    char path[256];
    key_plain_path(rows->keys[k], path, sizeof path);
    const struct key *key = key_of(path);
    const char *unit = key && key->unit ? key->unit : "";
    double number;
    const bool is_number = read_number(value, &number);
    if (is_path(path))
        return words_of_path(value);
    if (!given && (strcmp(path, "agent") == 0 || strcmp(path, "title") == 0))
        return need_text(value);
    char *words = given ? need_text(given) : words_of_key(rows, k, unit);
    char *shown = labels_value(rows->keys[k], value);
    const bool has_unit = is_number && *unit && strcmp(unit, "c") != 0;
    const bool chosen =
        !given && key && (key->type == KEY_CHOICE || key->type == KEY_NAMED);
    char *text = is_number
                     ? need_format("%s = %s%s%s", words, shown,
                                   has_unit ? " " : "", has_unit ? _(unit) : "")
                 : chosen ? need_format(_("%s %s"), shown, words)
                          : need_format("%s %s", words, shown);
    memory_release(words);
    memory_release(shown);
    return text;
}

/* ---- labels ---- */

static bool methods_differ(const struct labels_rows *rows)
{
    for (size_t r = 1; r < rows->count; r++)
        if (strcmp(rows->row[r].method, rows->row[0].method) != 0)
            return true;
    return false;
}

static bool values_differ(const struct labels_rows *rows, size_t key)
{
    for (size_t r = 1; r < rows->count; r++)
        if (strcmp(rows->row[r].values[key], rows->row[0].values[key]) != 0)
            return true;
    return false;
}

/* Adds words behind a comma; both texts are released. */
static char *join(char *text, char *words)
{
    char *joined =
        *text ? need_format(_("%s, %s"), text, words) : need_text(words);
    memory_release(text);
    memory_release(words);
    return joined;
}

static char *label_of(const struct labels_rows *rows,
                      const struct labels_given *given, size_t r)
{
    const struct labels_row *row = &rows->row[r];
    const char *text = text_for_row(given, rows, r);
    char *label = need_text(text ? text : "");
    if (text)
        return label;
    if (methods_differ(rows) || !rows->key_count)
        label = join(label, need_text(labels_method(given, row->method)));
    for (size_t k = 0; k < rows->key_count; k++)
        if (values_differ(rows, k))
            label =
                join(label,
                     words_of_value(rows, k, labels_text(given, rows->keys[k]),
                                    row->values[k]));
    return *label ? label
                  : join(label, need_text(labels_method(given, row->method)));
}

enum status labels_make(const struct labels_rows *rows,
                        const struct labels_given *given, char **labels,
                        struct error *error)
{
    enum status status = check_given(rows, given, error);
    for (size_t r = 0; r < rows->count && !status; r++)
        labels[r] = label_of(rows, given, r);
    return status;
}

void labels_words(const struct labels_rows *rows,
                  const struct labels_given *given, char **labels)
{
    for (size_t r = 0; r < rows->count; r++)
        labels[r] = label_of(rows, given, r);
}

enum status labels_order(const struct labels_rows *rows,
                         const char *const *names, size_t count, size_t *places,
                         struct error *error)
{
    size_t placed = 0;
    for (size_t r = 0; r < rows->count; r++)
        places[r] = r;
    for (size_t i = 0; i < count; i++) {
        const size_t before = placed;
        for (size_t at = placed; at < rows->count; at++) {
            const size_t r = places[at];
            if (strcmp(rows->row[r].method, names[i]) != 0 &&
                !names_row(rows, r, names[i], '\0'))
                continue;
            memmove(&places[placed + 1], &places[placed],
                    (at - placed) * sizeof *places);
            places[placed++] = r;
        }
        if (placed == before)
            return error_set(error, STATUS_INPUT,
                             "--order %.200s: no such method, and no such row "
                             "METHOD, VALUE of --by; the table without "
                             "--order lists them",
                             names[i]);
    }
    return STATUS_OK;
}
