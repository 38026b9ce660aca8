/* SPDX-License-Identifier: MIT */
/* A scenario during loading, shared by the files that read, override, check and
 * complete it. */
#ifndef HAMON_SCENARIO_LOAD_H
#define HAMON_SCENARIO_LOAD_H

#include "scenario/scenario.h"
#include "settings/groups.h"
#include "settings/keys.h"
#include "settings/setting.h"

struct load {
    const char *path;     /* of the scenario, in messages and for map paths */
    struct setting *root; /* of the text, with the overrides applied */
    struct draft *draft;
    const struct terrain *map;         /* used instead of map.file, or NULL */
    const struct map_outline *outline; /* used instead of any map, or NULL */
    const char *signal;                /* used instead of wave.signal_file */
    struct error *error;
};

/* ---- the place of an error (fault.c) ---- */

/* An error headed by `file:line: key: `, for a setting, or for the key `below`
 * that is missing in it; or by `--set key=value: ` if an override set it. */
enum status load_fault(const struct load *load, const struct setting *setting,
                       const char *below, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for a path such as "agents.[2].at". Its key may be absent: then the
 * line is that of the group in which it is missing. */
enum status load_fault_path(const struct load *load, const char *path,
                            const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The path of a key of a list's i-th group, "events.[2].speed", or of the group
 * itself (key NULL), in a buffer that lasts to the end of the enclosing
 * block. */
enum { ITEM_PATH_SIZE = 64 };
#define ITEM_PATH(list, i, key)                                                \
    load_item_path(list, i, key, (char[ITEM_PATH_SIZE]){ 0 })
const char *load_item_path(const char *list, size_t i, const char *key,
                           char path[ITEM_PATH_SIZE]);

/* Adds a warning, with the same head. */
enum status load_warn(const struct load *load, const char *path,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The setting of a path, or NULL if it is not given. */
const struct setting *load_find(const struct load *load, const char *path);

/* The file and line (or override, and 0) that come before errors about a
 * path. */
const char *load_head(const struct load *load, const char *path, int *line);

/* ---- from tree to draft ---- */

/* Applies one "key=value" (override.c). */
enum status load_override(struct load *load, const char *override);

/* Reads one key, and what is below it, from its group's setting (NULL if the
 * group is absent: then defaults only) into `base`, the struct of the group or
 * the draft (read.c). */
enum status load_key(const struct load *load, const struct key *key,
                     const struct setting *group, void *base);

/* Is it given with another value than the preset's default? `key` is a scalar
 * or name (check_preset.c). */
bool load_changes(const struct load *load, const struct key *key);

/* Is it from the scenario's text, not from --set (check_preset.c)? */
bool load_from_text(const struct load *load, const char *path);

/* Reads a value, checked against the key, into its place. */
enum status load_value(const struct load *load, const struct key *key,
                       const struct setting *setting, void *at);

/* Stores numbers, one at least, as the value of a KEY_NUMBERS. */
enum status load_numbers(const struct load *load, const double *numbers,
                         size_t count, const char **at);

/* The path of a file that a key names, relative to the scenario, in a buffer of
 * PATH_MAX bytes (map_read.c). */
enum status load_beside(const struct load *load, const char *key,
                        const char *file, char path[]);

/* Frees the memory of the keys of `group` in `base`. */
void keys_release(const struct key *group, void *base);

/* ---- checks that involve several keys ---- */

enum status load_map(struct load *load);            /* map_read.c */
enum status load_settle_changes(struct load *load); /* check_changes.c */
enum status load_settle_preset(struct load *load);  /* check_preset.c */
enum status load_settle_wave(struct load *load);    /* check_wave.c */
enum status load_settle_source(struct load *load);  /* check_source.c */
enum status load_settle_pursuit(struct load *load); /* check_pursuit.c */

/* A name that is given must not be empty (check_pursuit.c). */
enum status load_check_name(const struct load *load, const char *list, size_t i,
                            const char *name);
enum status load_warn_lifetime(struct load *load); /* check_wave.c */
enum status load_settle_record(struct load *load); /* check_record.c */

/* ---- printing (print.c) ---- */

/* Prints the draft as a scenario that reads back to the same draft; or `flat`:
 * one line for each key, with its whole path. */
enum status draft_print(const struct draft *draft, bool flat, char **text,
                        struct error *error);

#endif
