/* SPDX-License-Identifier: MIT */
/* A scenario on its way from text to struct, shared by the files that read,
 * override, check and complete it. */
#ifndef HAMON_SCENARIO_LOAD_H
#define HAMON_SCENARIO_LOAD_H

#include "scenario/scenario.h"
#include "settings/groups.h"
#include "settings/keys.h"
#include "settings/value.h"

#include <libconfig.h>

/* What the keys are read into: the scenario itself, and what of the text only
 * its checks and its printing need. */
struct draft {
    struct scenario scenario; /* first: a scenario is released as its draft */
    enum preset preset;
    struct map_settings map;
    struct list regions, events; /* change_entry */
    bool has_arrival, has_scale;
    struct scale_settings scale;
};

struct load {
    const char *path; /* of the scenario, in messages and for map paths */
    config_t config;  /* the tree of the text, overrides applied */
    struct draft *draft;
    const struct terrain *map;         /* in place of map.file, or NULL */
    const struct map_outline *outline; /* in place of any map, or NULL */
    struct error *error;
};

/* ---- where a fault stands (fault.c) ---- */

/* `file:line: key: what`, for a setting, or for the key `below` that is
 * missing in it; `--set key=value: what` where an override brought it. */
enum status load_fault(const struct load *load, const config_setting_t *setting,
                       const char *below, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for a path such as "agents.[2].at", whose key may be absent: then
 * with the line of the group that should hold it. */
enum status load_fault_path(const struct load *load, const char *path,
                            const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The path of a key of a list's i-th group, "events.[2].speed", or of the group
 * itself (key NULL), in memory that lasts as long as the block it stands in. */
enum { ITEM_PATH_SIZE = 64 };
#define ITEM_PATH(list, i, key)                                                \
    load_item_path(list, i, key, (char[ITEM_PATH_SIZE]){ 0 })
const char *load_item_path(const char *list, size_t i, const char *key,
                           char path[ITEM_PATH_SIZE]);

/* Adds a warning, headed in the same way. */
enum status load_warn(const struct load *load, const char *path,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The file and line (or override, and 0) that head the faults of a path. */
const char *load_head(const struct load *load, const char *path, int *line);

/* ---- from tree to draft ---- */

/* Applies one "key=value" (override.c). */
enum status load_override(struct load *load, const char *override);

/* Reads one key, and what is below it, from its group's setting (NULL if the
 * group is absent: then defaults only) into `base`, the struct of the group or
 * the draft (read.c). */
enum status load_key(const struct load *load, const struct key *key,
                     const config_setting_t *group, void *base);

/* Reads a value, checked against the key, to where it is kept. */
enum status load_value(const struct load *load, const struct key *key,
                       const config_setting_t *setting, void *at);

/* Where a key, read into the struct `base` of its group or into the draft, is
 * kept; and, of an optional one, the bool that says that it was there. */
void *key_at(const struct key *key, void *base);
bool *key_given(const struct key *key, void *base);

/* Frees what the keys of `group` own in `base`. */
void keys_release(const struct key *group, void *base);

/* ---- what keys cannot know of each other ---- */

enum status load_map(struct load *load);            /* map_read.c */
enum status load_settle_changes(struct load *load); /* check_changes.c */
enum status load_settle_preset(struct load *load);  /* check_preset.c */
enum status load_settle_wave(struct load *load);    /* check_wave.c */
enum status load_settle_pursuit(struct load *load); /* check_pursuit.c */
enum status load_warn_lifetime(struct load *load);  /* check_wave.c */
enum status load_settle_record(struct load *load);  /* check_record.c */

/* ---- printing (print.c) ---- */

/* As a scenario that reads back to the same draft, or `flat`: a line a key,
 * with its whole path. */
enum status draft_print(const struct draft *draft, bool flat, char **text,
                        struct error *error);

#endif
