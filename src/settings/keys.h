/* SPDX-License-Identifier: MIT */
/* The one table of settings: every key of a scenario with its type, range,
 * default, unit and help (table.c). The reader of scenarios, the printed
 * scenario, the settings that a recording holds, --vary, --keys, the manual
 * page and hamon-info use it. A new key is a new row and a member of its
 * group's struct. */
#ifndef HAMON_SETTINGS_KEYS_H
#define HAMON_SETTINGS_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum key_type {
    KEY_GROUP,     /* { … }: its keys are the rows whose path continues it */
    KEY_GROUPS,    /* ( { … }, … ): a struct list of `size` bytes an item */
    KEY_WHOLE,     /* int or int64_t, by `size` */
    KEY_REAL,      /* double */
    KEY_SWITCH,    /* bool */
    KEY_TEXT,      /* char *, UTF-8 of one line */
    KEY_PATH,      /* char * */
    KEY_CHOICE,    /* index into names: int, enum or bool, by `size` */
    KEY_SET,       /* bit i: name i is there; unsigned */
    KEY_NAMED,     /* pointer to the const row that has this name */
    KEY_PLACE,     /* struct place: position or "random" */
    KEY_POSITIONS, /* struct list of double[GRID_AXES] */
    KEY_BOX,       /* struct box */
    KEY_ROWS,      /* struct drawing of one layer */
    KEY_LAYERS,    /* struct drawing */
    KEY_COLOR,     /* uint32_t, from "#rrggbb" */
    KEY_SYMBOL,    /* char */
    KEY_TYPES
};

struct key {
    const char *path; /* "wave.delta"; within lists without the index */
    enum key_type type;
    /* Where it is kept: bytes from the struct of its group, or of the list's
     * item. Not of keys outside of groups. */
    size_t offset, size;
    bool optional;            /* may be absent, without a default: */
    size_t given;             /* bytes of the bool that says it was there */
    bool required;            /* if its group is there */
    const char *otherwise;    /* the default as libconfig text, or NULL */
    const char *best;         /* that of preset best, if it is another */
    const char *by_axes[2];   /* the default in 2D and in 3D, if they differ: */
    const char *depends;      /* the default in words, if others decide it */
    double low, high;         /* of numbers, both allowed … */
    bool above;               /* … low itself not */
    const char *const *names; /* of choices and sets, NULL behind the last */
    /* Of KEY_NAMED: structs whose first member is their name. */
    const void *const *rows;
    bool brief; /* of waves and pursuit: in the short list of hamon-info */
    const char *unit;
    const char *help;
};

enum { LONGEST_TEXT = 1000, LONGEST_NAME = 63, AGENTS_LIMIT = 100000 };
enum { LONGEST_TITLE = 511 }; /* what readers of recordings take */

extern const struct key keys[]; /* ends with a row without a path */

/* The key's name without its groups' names. */
const char *key_leaf(const struct key *key);

/* Is `key` directly inside `group` (NULL: the root)? */
bool key_is_in(const struct key *key, const struct key *group);

/* The first key inside `group` from the row `key` on, or NULL. */
const struct key *key_next(const struct key *group, const struct key *key);

/* The key of this name inside `group` (NULL: the root), or NULL; `table` is
 * `keys`, or another that ends as it does. */
const struct key *key_find(const struct key *table, const struct key *group,
                           const char *name, size_t length);

/* The key of a path, "wave.delta". */
const struct key *key_of(const char *path);

/* The key that an unknown `name` inside `group` probably meant: one of the
 * same name elsewhere, or else the nearest name of the group. */
const struct key *key_nearest(const struct key *table, const struct key *group,
                              const char *name);

/* Insertions, deletions, substitutions and swaps of neighbours (Damerau 1964,
 * optimal string alignment) that turn `a` into `b`, case ignored. Only the
 * first 63 characters of either count. */
int name_distance(const char *a, const char *b);

/* The i-th name that a KEY_CHOICE, KEY_SET or KEY_NAMED takes, or NULL behind
 * the last; and the index of a name, or −1. */
const char *key_name(const struct key *key, size_t i);
int key_name_find(const struct key *key, const char *name);

/* The default on a map of `dims` axes, as libconfig text, of a key that has
 * by_axes: it is 0 or NULL until the map is known. */
const char *key_default_of_axes(const struct key *key, int dims);

/* What the key takes, in words: "a whole number from 1 to 9". */
void key_describe(const struct key *key, char *text, size_t size);

/* --keys: every key with type, default, range and unit, a line each. */
void keys_print(FILE *out);

#endif
