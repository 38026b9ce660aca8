/* SPDX-License-Identifier: MIT */
/* The one table of settings: every key of a scenario with its type, range,
 * default, unit and help (table.c). It is used by the reader of scenarios, the
 * printed scenario, the settings in a recording, --vary, --keys, the manual
 * page and hamon-info. To add a key, add a row and a member of its group's
 * struct. */
#ifndef HAMON_SETTINGS_KEYS_H
#define HAMON_SETTINGS_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum key_type {
    KEY_GROUP,  /* { … }: its keys are the rows whose path begins with its
                 * path */
    KEY_GROUPS, /* ( { … }, … ): a struct list with items of `size` bytes */
    KEY_WHOLE,  /* int or int64_t, by `size` */
    KEY_REAL,   /* double */
    KEY_SWITCH, /* bool */
    KEY_TEXT,   /* char *, UTF-8 of one line */
    KEY_PATH,   /* char * */
    KEY_CHOICE, /* index into names: int, enum or bool, by `size` */
    KEY_SET,    /* bit i: name i is in the set; unsigned */
    KEY_NAMED,  /* pointer to the const entry of this name */
    KEY_PLACE,  /* struct place: position or "random" */
    KEY_POSITIONS, /* struct list of double[GRID_AXES] */
    KEY_BOX,       /* struct box */
    KEY_ROWS,      /* struct drawing of one layer */
    KEY_LAYERS,    /* struct drawing */
    KEY_NUMBERS,   /* const char *: "[0.5, 1.0]", one number at least */
    KEY_COLOR,     /* uint32_t, from "#rrggbb" */
    KEY_SYMBOL,    /* char */
    KEY_TYPES
};

struct key {
    const char *path; /* "wave.delta"; within lists without the index */
    enum key_type type;
    /* Its position: bytes from the start of the struct of its group, or of the
     * list's item; of the draft for keys outside of groups. */
    size_t offset, size;
    bool optional;            /* may be absent, without a default: */
    size_t given;             /* position of the bool that records that it was
                               * given */
    bool required;            /* required if its group is given */
    const char *otherwise;    /* the default as libconfig text, or NULL */
    const char *best;         /* the default of preset best, if different */
    const char *by_axes[2];   /* the default in 2D and in 3D, if they differ: */
    const char *depends;      /* the default in words, if it depends on other
                               * keys */
    double low, high;         /* of numbers: the minimum and maximum, both
                               * allowed */
    bool above;               /* the minimum itself is not allowed */
    const char *const *names; /* of choices and sets; NULL after the last */
    /* Of KEY_NAMED: structs whose first member is their name. */
    const void *const *rows;
    /* Recordings of 1.0 lack it, and behave as with `otherwise`: it is printed
     * only if it or the preset's default is another one. */
    bool later;
    bool brief; /* of waves and pursuit: in the short list of hamon-info */
    const char *unit;
    const char *help;
};

enum { LONGEST_TEXT = 1000, LONGEST_NAME = 63, AGENTS_LIMIT = 100000 };
enum { LONGEST_TITLE = 511 }; /* limit in the readers of recordings */

extern const struct key keys[]; /* ends with a row without a path */

/* The key's name without its groups' names. */
const char *key_leaf(const struct key *key);

/* Is `key` directly inside `group` (NULL: the root)? */
bool key_is_in(const struct key *key, const struct key *group);

/* The place of a key in `base`, the struct of its group or the draft; and, for
 * an optional key, the bool that records whether it was given. */
static inline void *key_at(const struct key *key, void *base)
{
    return (char *)base + key->offset;
}

static inline bool *key_given(const struct key *key, void *base)
{
    return (bool *)((char *)base + key->given);
}

/* The same to read them. */
static inline const void *key_seen(const struct key *key, const void *base)
{
    return (const char *)base + key->offset;
}

static inline bool key_is_given(const struct key *key, const void *base)
{
    return *((const bool *)base + key->given);
}

/* The first key inside `group` from the row `key` on, or NULL. */
const struct key *key_next(const struct key *group, const struct key *key);

/* The key of this name inside `group` (NULL: the root), or NULL; `table` is
 * `keys`, or another table with the same kind of end. */
const struct key *key_find(const struct key *table, const struct key *group,
                           const char *name, size_t length);

/* The key of a path, "wave.delta". */
const struct key *key_of(const char *path);

/* The path of a setting's key: without indices. */
void key_plain_path(const char *path, char *plain, size_t size);

/* The key that was probably meant by an unknown `name` inside `group`: one of
 * the same name elsewhere, or else the nearest name of the group. */
const struct key *key_nearest(const struct key *table, const struct key *group,
                              const char *name);

/* The number of insertions, deletions, substitutions and swaps of neighbours
 * (Damerau 1964, optimal string alignment) that turn `a` into `b`, case
 * ignored. Only the first 63 characters of each are compared. */
int name_distance(const char *a, const char *b);

/* The i-th name that a KEY_CHOICE, KEY_SET or KEY_NAMED takes, or NULL after
 * the last; and the index of a name, or −1. */
const char *key_name(const struct key *key, size_t i);
int key_name_find(const struct key *key, const char *name);

/* The default on a map of `dims` axes, as libconfig text, of a key with
 * by_axes: until the map is known its default is 0 or NULL. */
const char *key_default_of_axes(const struct key *key, int dims);

/* The allowed values of the key, in words: "a whole number from 1 to 9". */
void key_describe(const struct key *key, char *text, size_t size);

/* Writes the names that the key takes, "a, b", after `head`. */
void key_names(const struct key *key, const char *head, char *text,
               size_t size);

/* --keys: every key with type, default, range and unit, one on each line. */
void keys_print(FILE *out);

#endif
