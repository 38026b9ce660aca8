/* SPDX-License-Identifier: MIT */
/* Recordings side by side: each read by its own arrival settings or by several
 * others, and grouped by what differs in their settings. */
#ifndef HAMON_ANALYSIS_STUDY_STUDY_H
#define HAMON_ANALYSIS_STUDY_STUDY_H

#include "draw/chart/chart.h"
#include "recording/read/recording.h"
#include "view/arrival_run.h"

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

/* Readings whose settings are the same, but for seed, agents, title and the
 * keys that are pooled. */
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
    struct group *groups; /* in the order in which they are printed */
    size_t group_count;
    char **texts;      /* the recordings' settings, cut into keys */
    const char **keys; /* that differ between readings */
    size_t key_count;
    const char *const *pooled; /* keys that set no groups apart; borrowed */
    size_t pooled_count;
};

/* Opens the recordings, and makes a reading of each for every combination of
 * the variations' values ("arrival.threshold=1e-2,1e-4"; `wants` of `vary`).
 * Only keys of the arrival group can be varied: the waves are what they are.
 * Keys that are pooled ("map.file") set no groups apart; STATUS_INPUT where the
 * recordings have no such setting. Release with study_release, after a failure
 * too. */
enum status study_open(struct study *study, char *const *paths, size_t count,
                       const char *const *vary, size_t vary_count,
                       const char *const *pool, size_t pool_count,
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

/* Has no earlier group a first reading of the same recording? */
bool study_group_is_first(const struct study *study, size_t group);

/* The groups as legends of a chart, and its caption: which groups are not drawn
 * where there are more than styles, the `note` (NULL: none), and where it all
 * is from: titles (where the recordings' settings do not differ), files, and
 * the programs that recorded and drew. Of more groups than styles the first
 * are drawn. */
void study_describe(const struct study *study, bool series,
                    const char *const *more_legends, const char *note,
                    const char *program, struct chart *chart);

/* How many groups a chart with these further legends draws. */
size_t study_drawn(const struct study *study, const char *const *more_legends);

/* Groups that one setting alone sets apart are points of one line. */
struct study_lines {
    size_t count;
    size_t *of; /* (group): its line, from 0 */
    char (*label)[STUDY_LABEL_SIZE];
    /* Which lines are drawn; set by study_lines_name. */
    size_t drawn_count, drawn[CHART_LINE_STYLES];
    char left_out[64]; /* that there are more; "": there are none */
};

/* Of the setting `key`; a `*` in it stands for any text. Release with
 * study_lines_release, after a failure too. */
enum status study_lines_make(const struct study *study, const char *key,
                             struct study_lines *lines, struct error *error);
void study_lines_release(struct study_lines *lines);

/* Names the first CHART_LINE_STYLES of them as CHART_LINES + panel, and how
 * many more there are as CHART_MORE_LINES + panel; those that are `shown`
 * (line), or with NULL all. */
void study_lines_name(struct study_lines *lines, const bool *shown, int panel,
                      struct chart *chart);

#endif
