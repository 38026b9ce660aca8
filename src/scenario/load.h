/* SPDX-License-Identifier: MIT */
/* A scenario on its way from text to struct, shared by the files that read,
 * override, check and complete it. */
#ifndef HAMON_SCENARIO_LOAD_H
#define HAMON_SCENARIO_LOAD_H

#include "scenario/draft.h"
#include "scenario/keys.h"

#include <libconfig.h>

struct load {
    const char *path;  /* of the scenario, in messages and for map paths */
    config_t config;   /* the tree of the text, overrides applied */
    config_t defaults; /* k0, k1, …: the default of key 0, 1, … */
    struct draft *draft;
    struct error *error;
};

/* ---- where a fault stands (fault.c) ---- */

enum { SETTING_PATH_SIZE = 256 };

/* "agents.[0].speed" of a setting; "" for the root. */
void setting_path(const config_setting_t *setting, char *path, size_t size);

/* `file:line: key: what`, for a setting, or for the key `below` that is
 * missing in it; `--set key=value: what` where an override brought it. */
enum status fault(const struct load *load, const config_setting_t *setting,
                  const char *below, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for a path such as "agents.[2].at", whose key may be absent: then
 * with the line of the group that should hold it. */
enum status fault_path(const struct load *load, const char *path,
                       const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a warning, headed in the same way. */
enum status warn_path(const struct load *load, const char *path,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The file and line (or override, and 0) that head the faults of a path. */
const char *fault_head(const struct load *load, const char *path, int *line);

/* ---- from tree to draft ---- */

/* Applies one "key=value" (override.c). */
enum status override_apply(struct load *load, const char *override);

/* Fills `defaults` for a preset (defaults.c). */
enum status defaults_load(struct load *load, enum preset preset);

/* The default of a key, or NULL. */
const config_setting_t *default_of(const struct load *load,
                                   const struct key *key);

/* Reads one key, and what is below it, from its group's setting (NULL where
 * the group is absent: then defaults only) into `base` (read.c). */
enum status key_read(const struct load *load, const struct key *key,
                     const config_setting_t *group, void *base);

/* Reads a scalar, name or text (value.c), and a place, box or list of
 * positions (place.c), checked against the key. */
enum status value_read(const struct load *load, const struct key *key,
                       const config_setting_t *setting, void *at);
enum status place_read(const struct load *load, const struct key *key,
                       const config_setting_t *setting, void *at);

/* "expected: what is allowed", the fault of a wrong type or value. */
enum status fault_wanted(const struct load *load, const struct key *key,
                         const config_setting_t *setting);

/* Frees what the keys from `first` up to the end of `group` own in `base`. */
void keys_release(const struct key *group, void *base);

/* ---- what keys cannot know of each other ---- */

enum status map_read(struct load *load);       /* map_read.c */
enum status changes_settle(struct load *load); /* check_changes.c */
enum status preset_settle(struct load *load);  /* check_preset.c */
enum status wave_settle(struct load *load);    /* check_wave.c */
enum status pursuit_settle(struct load *load); /* check_pursuit.c */
enum status record_settle(struct load *load);  /* check_record.c */

/* ---- printing (print.c) ---- */

enum status resolved_print(const struct draft *draft, char **text,
                           struct error *error);
enum status parameters_print(const struct draft *draft, char **text,
                             struct error *error);

#endif
