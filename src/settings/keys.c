/* SPDX-License-Identifier: MIT */
/* Finding a key of the table, and describing it in words. */
#include "settings/keys.h"

#include "base/real.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *key_leaf(const struct key *key)
{
    const char *dot = strrchr(key->path, '.');
    return dot ? dot + 1 : key->path;
}

bool key_is_in(const struct key *key, const struct key *group)
{
    const char *leaf = key_leaf(key);
    if (!group)
        return leaf == key->path;
    size_t length = strlen(group->path);
    return leaf == key->path + length + 1 &&
           memcmp(key->path, group->path, length) == 0;
}

const struct key *key_next(const struct key *group, const struct key *key)
{
    for (; key->path; key++)
        if (key_is_in(key, group))
            return key;
    return NULL;
}

const struct key *key_find(const struct key *table, const struct key *group,
                           const char *name, size_t length)
{
    for (const struct key *key = table; key->path; key++) {
        const char *leaf = key_leaf(key);
        if (key_is_in(key, group) && strlen(leaf) == length &&
            memcmp(leaf, name, length) == 0)
            return key;
    }
    return NULL;
}

const struct key *key_of(const char *path)
{
    for (const struct key *key = keys; key->path; key++)
        if (strcmp(key->path, path) == 0)
            return key;
    return NULL;
}

void key_plain_path(const char *path, char *plain, size_t size)
{
    size_t used = 0;
    for (const char *at = path; *at && used + 1 < size; at++) {
        if (at[0] == '.' && at[1] == '[')
            at += strcspn(at, "]");
        else
            plain[used++] = *at;
    }
    plain[used] = '\0';
}

enum { LONGEST_COMPARED = 63 };

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

int name_distance(const char *a, const char *b)
{
    int rows[LONGEST_COMPARED + 1][LONGEST_COMPARED + 1];
    int m = (int)strnlen(a, LONGEST_COMPARED),
        n = (int)strnlen(b, LONGEST_COMPARED);
    for (int j = 0; j <= n; j++)
        rows[0][j] = j;
    for (int i = 1; i <= m; i++) {
        rows[i][0] = i;
        for (int j = 1; j <= n; j++) {
            int differ = lower(a[i - 1]) != lower(b[j - 1]);
            int best = smaller(rows[i - 1][j] + 1, rows[i][j - 1] + 1);
            best = smaller(best, rows[i - 1][j - 1] + differ);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                best = smaller(best, rows[i - 2][j - 2] + 1);
            rows[i][j] = best;
        }
    }
    return rows[m][n];
}

const struct key *key_nearest(const struct key *table, const struct key *group,
                              const char *name)
{
    const struct key *nearest = NULL;
    int distance = INT_MAX;
    for (const struct key *key = table; key->path; key++) {
        if (!key_is_in(key, group))
            continue;
        int next = name_distance(name, key_leaf(key));
        if (next < distance) {
            distance = next;
            nearest = key;
        }
    }
    /* A small typing error in this group is preferred to the exact key of
     * another: `spede` of an agent is its speed. */
    if (distance > 2)
        for (const struct key *key = table; key->path; key++)
            if (strcmp(name, key_leaf(key)) == 0)
                return key;
    return nearest;
}

const char *key_default_of_axes(const struct key *key, int dims)
{
    return key->by_axes[dims > 2];
}

const char *key_name(const struct key *key, size_t i)
{
    if (key->names)
        return key->names[i];
    const char *name = NULL;
    if (key->rows[i])
        memcpy(&name, key->rows[i], sizeof name);
    return name;
}

int key_name_find(const struct key *key, const char *name)
{
    for (int i = 0; key_name(key, (size_t)i); i++)
        if (strcmp(name, key_name(key, (size_t)i)) == 0)
            return i;
    return -1;
}

void key_names(const struct key *key, const char *head, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", head);
    for (size_t i = 0; key_name(key, i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i ? ", " : "", key_name(key, i));
}

static void describe_number(const struct key *key, const char *kind, char *text,
                            size_t size)
{
    const char *from = key->above ? "over" : "from";
    char low[REAL_SIZE], high[REAL_SIZE];
    real_text(key->low, low);
    real_text(key->high, high);
    if (isinf(key->low))
        snprintf(text, size, "%s", kind);
    else if (isinf(key->high))
        snprintf(text, size, "%s %s %s", kind, from, low);
    else if (key->high >= 0x1p63)
        snprintf(text, size, "%s from %s to 2^63 - 1", kind, low);
    else
        snprintf(text, size, "%s %s %s to %s", kind, from, low, high);
}

void key_describe(const struct key *key, char *text, size_t size)
{
    static const char *const words[KEY_TYPES] = {
        [KEY_GROUP] = "a group { ... }",
        [KEY_GROUPS] = "a list of groups ( { ... }, ... )",
        [KEY_SWITCH] = "true or false",
        [KEY_PATH] = "a file name in quotes",
        [KEY_PLACE] = "a position [x, y], in 3D [x, y, z], or \"random\"",
        [KEY_POSITIONS] = "a list of positions ([x, y], ...)",
        [KEY_BOX] = "a box [x0, y0, x1, y1], in 3D [x0, y0, z0, x1, y1, z1]",
        [KEY_NUMBERS] = "a list of numbers [0.5, 1.0, ...]",
        [KEY_ROWS] = "a list of texts (\"..@\", ...)",
        [KEY_LAYERS] = "a list of lists of texts ((\"..@\", ...), ...)",
        [KEY_COLOR] = "a text \"#rrggbb\"",
        [KEY_SYMBOL] = "a text of one character",
    };
    if (key->type == KEY_WHOLE)
        describe_number(key, "a whole number", text, size);
    else if (key->type == KEY_REAL)
        describe_number(key, "a number", text, size);
    else if (key->type == KEY_CHOICE || key->type == KEY_NAMED)
        key_names(key, "one of ", text, size);
    else if (key->type == KEY_SET)
        key_names(key, "a list of some of ", text, size);
    else if (key->type == KEY_TEXT)
        snprintf(text, size, "a text of one line, %.0f bytes at most",
                 key->high);
    else
        snprintf(text, size, "%s", words[key->type]);
}
