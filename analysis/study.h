/* SPDX-License-Identifier: MIT */
/* Recordings side by side: each read by its own arrival settings or by several
 * others, and grouped by what differs in their settings. */
#ifndef HAMON_ANALYSIS_STUDY_H
#define HAMON_ANALYSIS_STUDY_H

#include "draw/arrival_run.h"
#include "draw/chart.h"
#include "recording/recording.h"

#include <stddef.h>

enum { STUDY_LABEL_SIZE = 400 };

/* A setting read otherwise than it was recorded: `--vary KEY=V1,V2,…`. */
struct variation {
    char *text; /* owned; key and values point into it */
    const char *key;
    const char **values;
    size_t count;
};

/* One recording under one set of arrival settings. */
struct reading {
    const struct recording *recording;
    const char **varied; /* a value for each variation */
    size_t group;
};

/* Readings whose settings are the same, but for seed, agents and title. */
struct group {
    char label[STUDY_LABEL_SIZE]; /* what sets it apart: "walls free" */
    size_t first;                 /* of its readings */
    size_t count;
};

struct study {
    struct recording **recordings;
    size_t recording_count;
    struct variation *variations;
    size_t variation_count;
    struct reading *readings;
    size_t reading_count;
    struct group *groups; /* in study_order's order */
    size_t group_count;
    char **texts;      /* the recordings' settings, cut into keys */
    const char **keys; /* that differ between readings */
    size_t key_count;
};

/* Opens the recordings, and makes a reading of each for every combination of
 * the variations' values ("arrival.threshold=1e-2,1e-4"; `wants` of `vary`).
 * Only keys of the arrival group can be varied: the waves are what they are.
 * Release with study_release, after a failure too. */
enum status study_open(struct study *study, char *const *paths, size_t count,
                       const char *const *vary, size_t vary_count,
                       struct error *error);
void study_release(struct study *study);

/* A setting of a reading as text, or NULL; as a number, or `otherwise`. */
const char *reading_setting(const struct study *study,
                            const struct reading *reading, const char *key);
double reading_real(const struct study *study, const struct reading *reading,
                    const char *key, double otherwise);

/* The detector and heading rule that a reading goes by. */
enum status reading_arrival(const struct study *study,
                            const struct reading *reading,
                            struct arrival_settings *settings,
                            struct error *error);

/* What sets a reading apart, the key `without` (or NULL; a `*` in it stands for
 * any text) left out; of the map then only its kind, "corridor-l" of
 * "corridor-l-5.map". */
void reading_label(const struct study *study, const struct reading *reading,
                   const char *without, char label[STUDY_LABEL_SIZE]);

/* The groups as legends of a chart, and its caption: which groups are not drawn
 * where there are more than styles, the `note` (NULL: none), and where it all
 * is from: titles (where the recordings' settings do not differ), files, and
 * the programs that recorded and drew. Of more groups than styles the first
 * are drawn. */
void study_tell(const struct study *study, const char *const *more_legends,
                const char *note, const char *program, struct chart *chart);

/* How many groups a chart with these further legends draws. */
size_t study_drawn(const struct study *study, const char *const *more_legends);

/* ---- study_lines.c ---- */

/* Groups that one setting alone sets apart are points of one line. */
struct study_lines {
    size_t count;
    size_t *of; /* (group): its line, from 0 */
    char (*label)[STUDY_LABEL_SIZE];
};

/* Of the setting `key`, as reading_label's `without`. Release with
 * study_lines_release, after a failure too. */
enum status study_lines_make(const struct study *study, const char *key,
                             struct study_lines *lines, struct error *error);
void study_lines_release(struct study_lines *lines);

/* Names the first CHART_LINE_STYLES of them as CHART_LINES + panel, and how
 * many more there are as CHART_MORE_LINES + panel; those that are `shown`
 * (line), or with NULL all. */
void study_lines_tell(const struct study_lines *lines, const bool *shown,
                      int panel, struct chart *chart);

/* ---- study_order.c ---- */

/* Puts the groups into the order in which they are told: by each setting that
 * differs, numbers by their size, and words and what --vary asks for as they
 * come; maps of a kind by their numbers. study_open does it. */
enum status study_order(struct study *study, struct error *error);

#endif
