/* SPDX-License-Identifier: MIT */
/* A comparison of recordings: each is read with its own arrival settings or
 * with several others, and they are grouped by the settings that differ. */
#ifndef HAMON_ANALYSIS_STUDY_STUDY_H
#define HAMON_ANALYSIS_STUDY_STUDY_H

#include "cli/cli.h"
#include "cli/table.h"
#include "draw/chart/chart.h"
#include "draw/chart/labels.h"
#include "recording/read/recording.h"
#include "view/arrival_run.h"

#include <stddef.h>

enum { STUDY_LABEL_SIZE = 400 };

/* A setting replaced at reading: `--vary KEY=V1,V2,…`. */
struct variation {
    char *text; /* owned; key and values point into it */
    const char *key;
    const char **values;
    size_t count;
};

/* One recording with one set of arrival settings. */
struct reading {
    const struct recording *recording;
    const char **varied; /* a value for each variation */
    size_t group;
};

/* Readings whose settings are the same, except seed, agents, title and the
 * pooled keys. */
struct group {
    char label[STUDY_LABEL_SIZE]; /* what differs: "walls free" */
    size_t first;                 /* of its readings */
    size_t count;
};

struct study {
    struct recording **recordings;
    size_t recording_count;
    const char **paths; /* (recordings), borrowed from them */
    struct variation *variations;
    size_t variation_count;
    struct reading *readings;
    size_t reading_count;
    struct group *groups; /* in the order of printing */
    size_t group_count;
    char **texts;      /* the recordings' settings, split into keys */
    const char **keys; /* that differ between readings */
    size_t key_count;
    const char **text_names;         /* "group", then the keys */
    bool keyed;                      /* tables have the keys' columns */
    const struct study_asked *asked; /* borrowed */
    struct labels_given labels;      /* of asked */
};

/* What the user requested. */
struct study_asked {
    struct cli_list vary;   /* "arrival.threshold=1e-2,1e-4", ... */
    struct cli_list pool;   /* keys that do not separate groups: "map.file" */
    struct cli_list by;     /* keys: if there are any, only these do */
    struct cli_list order;  /* groups, or values of a setting: they are first */
    struct cli_list labels; /* "NAME=TEXT": words for a group, for the groups
                             * that differ only in the map, for a setting */
    const char *const *names; /* other NAMEs, ending with NULL; or NULL */
};

/* Opens the recordings, and makes a reading of each for every combination of
 * the variations' values. Only keys of the arrival group can be varied, because
 * the waves are recorded. STATUS_INPUT if the recordings have no such setting,
 * group or name. Release with study_release, after a failure too. */
enum status study_open(const struct cli *cli, struct study *study,
                       char *const *paths, size_t count,
                       const struct study_asked *asked, struct error *error);

/* From now on the readings' recordings have what this field of the wave is read
 * or computed from (view_source_of). */
enum status study_require(struct study *study, const char *field, int wave,
                          struct error *error);
void study_release(struct study *study);

/* A setting of a reading as text, or NULL. */
const char *reading_setting(const struct study *study,
                            const struct reading *reading, const char *key);

/* The detector and heading rule of a reading. */
enum status reading_arrival(const struct study *study,
                            const struct reading *reading,
                            struct arrival_settings *settings,
                            struct error *error);

/* The first varied key that has no effect with a reading's detector, or NULL.
 * STATUS_INPUT as reading_arrival. */
enum status study_unused_key(const struct study *study, const char **key,
                             const struct detector **detector,
                             struct error *error);

/* A table of groups: their labels, and with study->keyed (in CSV and JSON) a
 * column for each setting that differs; then the columns of numbers. */
void study_table_init(const struct study *study, struct table *table,
                      const struct table_column *columns, size_t count);
void study_table_add(const struct study *study, struct table *table,
                     size_t group, const double *numbers);

/* Is the group the first with a first reading of this recording? */
bool study_group_is_first(const struct study *study, size_t group);

/* How many of the groups a chart draws one by one, and in which panels. */
struct study_drawn {
    size_t count;
    const char *where; /* words of the catalogue */
};

/* The caption of a chart: the groups that it does not draw, the `note`, in
 * English and as it is drawn, and the sources: titles (if the recordings'
 * settings do not differ), files, and the programs that recorded and drew. */
void study_caption(const struct study *study, const struct study_drawn *drawn,
                   const char *note, const char *drawn_note,
                   const char *program, struct chart *chart);

/* Words for each group in a chart, from need_memory: "threshold = 0.01",
 * "fixed walls". */
void study_words(const struct study *study, char **words);
/* The same without a setting; of the map with its kind (study_lines). */
void study_words_without(const struct study *study, const char *without,
                         char **words);

/* Groups that differ only in one setting are points of one line. */
struct study_lines {
    size_t count;
    size_t *of; /* (group): its line, from 0 */
    char (*label)[STUDY_LABEL_SIZE];
};

/* For the setting `key`; a `*` in it matches any text. Release with
 * study_lines_release, after a failure too. */
void study_lines_make(const struct study *study, const char *key,
                      struct study_lines *lines);
void study_lines_release(struct study_lines *lines);

#endif
