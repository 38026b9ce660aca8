/* SPDX-License-Identifier: MIT */
/* Reader of chase problems, `.chase` version 1 (docs/guides/chases.md).
 *
 *   version 1
 *   # a comment
 *   NAME CLASS MAP CHECKSUM EXACT SETTINGS
 *
 * Fields are separated by blanks or tabs. MAP is a map's file, or
 * FILE:X0,Y0,X1,Y1 (3D: FILE:X0,Y0,Z0,X1,Y1,Z1) for a box of it, whose lower
 * corner becomes cell 0; CHECKSUM is the CRC-32C of the file, 8 digits. EXACT
 * is `path:LENGTH` (cells), `steps:COUNT`, or `-`. SETTINGS, the rest of the
 * line, are keys of a scenario: all except preset, map and wave, which the
 * program sets. Every error is STATUS_INPUT with file:line. */
#ifndef HAMON_ANALYSIS_COMPARE_CHASE_FILE_H
#define HAMON_ANALYSIS_COMPARE_CHASE_FILE_H

#include "base/status.h"
#include "scenario/scenario.h"
#include "world/terrain.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum exact_of { EXACT_NONE, EXACT_PATH, EXACT_STEPS };

struct chase_problem {
    char *name, *class_name;
    char *map;       /* as in the file, with its box */
    size_t map_file; /* number of its characters that name the file */
    bool has_box;
    struct box box;
    bool has_checksum; /* else the map may be any */
    uint32_t checksum;
    enum exact_of exact_of;
    double exact; /* NAN: none */
    char *settings;
    size_t agents; /* number of entries in them, and the step limit; 0 until the
                    * caller has read the scenario */
    int64_t steps;
    int line;
};

struct chase_problems {
    char *path; /* of the file */
    struct chase_problem *items;
    size_t count;
};

/* The map of the last problem. */
struct chase_map {
    char *path; /* NULL: none yet */
    uint32_t checksum;
    struct terrain whole, cut;
    const struct chase_problem *cut_for; /* NULL: not cut */
};

/* Release with chase_problems_release. */
enum status chase_problems_load(const char *path,
                                struct chase_problems *problems,
                                struct error *error);
void chase_problems_release(struct chase_problems *problems);

/* Keeps problems 0, every, 2 every ... */
void chase_problems_thin(struct chase_problems *problems, size_t every);

/* The cells of the problem's map, from its file in `folder` (NULL: the folder
 * of the problems) unless `map` has it already. STATUS_INPUT if the checksum
 * differs. Release with chase_map_release. */
enum status chase_map_take(const struct chase_problems *problems,
                           const struct chase_problem *problem,
                           const char *folder, struct chase_map *map,
                           const struct terrain **terrain, struct error *error);
void chase_map_release(struct chase_map *map);

/* The problem as a scenario: preset best, then `group` (such as "wave = { };"),
 * then its settings. If `method` is given, every pursuer has it, and `settings`
 * ("key=value") come last. Release with scenario_release. */
enum status chase_scenario(const struct chase_problems *problems,
                           const struct chase_problem *problem,
                           const struct terrain *terrain, const char *group,
                           const char *method, const char *const *settings,
                           size_t setting_count, struct scenario **scenario,
                           struct error *error);

#endif
