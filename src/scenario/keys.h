/* SPDX-License-Identifier: MIT */
/* The one table of the keys of a scenario. Reading, range checks, the nearest
 * known key, --keys, the resolved scenario and the parameters all go by it: a
 * new key is a new row. */
#ifndef HAMON_SCENARIO_KEYS_H
#define HAMON_SCENARIO_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum key_type {
    KEY_GROUP,     /* { … }: its keys are the rows whose path goes on */
    KEY_GROUPS,    /* ( { … }, … ): a struct list of `size` bytes an item */
    KEY_WHOLE,     /* int or int64_t, as `size` tells */
    KEY_REAL,      /* double */
    KEY_SWITCH,    /* bool */
    KEY_TEXT,      /* char *, UTF-8 of one line */
    KEY_PATH,      /* char * */
    KEY_CHOICE,    /* index into names: int, enum or bool, as `size` tells */
    KEY_SET,       /* bit i: name i is there; unsigned */
    KEY_NAMED,     /* pointer to the const row whose name it is */
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
    /* Where it is kept: bytes from struct draft, or from the list's item. */
    size_t offset, size;
    size_t given;          /* of the bool that says it was there, or NOT_TOLD */
    bool required;         /* wherever its group is there */
    const char *otherwise; /* the default as libconfig text, or NULL */
    const char *best;      /* that of preset best, where it is another */
    const char *depends;   /* the default in words, where others decide it */
    double low, high;      /* of numbers, both allowed … */
    bool above;            /* … low itself not */
    const char *const *names; /* of choices and sets, NULL behind the last */
    /* Of KEY_NAMED: structs whose first member is their name. */
    const void *const *rows;
    const char *unit;
    const char *help;
};

enum { LONGEST_TEXT = 1000, LONGEST_NAME = 63, AGENTS_LIMIT = 100000 };
#define NOT_TOLD ((size_t)-1)

extern const struct key keys[]; /* ends with a row without a path */

/* The key's name without its groups' names. */
const char *key_leaf(const struct key *key);

/* Is `key` directly inside `group` (NULL: the root)? */
bool key_is_in(const struct key *key, const struct key *group);

/* The key of this name inside `group` (NULL: the root), or NULL. */
const struct key *key_find(const struct key *group, const char *name,
                           size_t length);

/* The key that an unknown `name` inside `group` probably meant: one of the
 * same name elsewhere, or else the nearest name of the group. */
const struct key *key_nearest(const struct key *group, const char *name);

/* The i-th name that a KEY_CHOICE, KEY_SET or KEY_NAMED takes, or NULL behind
 * the last. */
const char *key_name(const struct key *key, size_t i);

/* What the key takes, in words: "a whole number from 1 to 9". */
void key_describe(const struct key *key, char *text, size_t size);

#endif
