/* SPDX-License-Identifier: MIT */
/* The values of a text before they are checked: a tree of groups, lists and
 * scalars, with the line of each. */
#ifndef HAMON_SETTINGS_SETTING_H
#define HAMON_SETTINGS_SETTING_H

#include "settings/value.h"

#include <stddef.h>

struct setting {
    const char *name;   /* of the table of keys; NULL: the root, or an item */
    struct value value; /* value.whole: the number of items of a list */
    int index, line;    /* line 0: it is not in the text */
    /* Owned, or NULL: value.text; and "--set wave.delta=0.1", which set it. */
    char *text, *override;
    struct setting *parent, *first, *last, *next;
};

/* A new last member or item of `parent`; NULL: no memory. The root is a zeroed
 * struct. */
struct setting *setting_add(struct setting *parent, const char *name,
                            enum value_type type, int line);

/* Releases everything in `setting`. */
void setting_clear(struct setting *setting);

/* The member of this name, or the item "[2]"; NULL if there is none, or
 * `setting` is NULL. */
struct setting *setting_find(const struct setting *setting, const char *name);

/* The setting of a path, "agents.[0].speed", or the innermost that exists on
 * it; *path becomes the rest of the path. */
const struct setting *setting_deepest(const struct setting *root,
                                      const char **path);

/* Writes the path of a setting; "" for the root. */
void setting_path(const struct setting *setting, char *path, size_t size);

#endif
