/* SPDX-License-Identifier: MIT */
/* The file of an open recording, below recording.h: its layout, and its bytes
 * as they are stored. For the folders that need more than frames:
 * recording/pack and view/replay. */
#ifndef HAMON_RECORDING_READ_FILE_H
#define HAMON_RECORDING_READ_FILE_H

#include "recording/read/inspect.h"
#include "recording/read/recording.h"

struct setting {
    const char *key, *value; /* inside `parameters` */
};

/* Computes frames that are not in the file from those that are
 * (view/replay.h). */
struct row_source {
    void *context; /* NULL: there is no source */
    enum status (*read)(void *context, const struct layout_item *item,
                        int64_t row, void *out, struct error *error);
    void (*release)(void *context);
};

/* Makes the whole run (recording_whole). */
struct whole_source {
    void *context; /* NULL: there is no source */
    enum status (*get)(void *context, const struct recording **whole,
                       struct error *error);
    void (*release)(void *context);
};

struct recording {
    char *path;
    int fd;
    uint64_t bytes; /* of the file */
    char title[RECORDING_TITLE_SIZE];
    struct shape shape;
    struct layout layout;
    struct grid grid;
    struct box region;
    int64_t keyframes; /* K: frames 0, 1, K, K + 1, … are stored; 0: all are */
    struct row_source source; /* for frames that are not stored */
    struct whole_source whole;
    int64_t rows;
    int64_t *steps; /* of each frame */
    size_t versions;
    int64_t *version_steps;
    enum run_state state;
    int64_t table_rows[TABLES];
    char *texts[RECORDING_MAX_TEXTS]; /* texts of /provenance, NUL-terminated */
    char *parameters;                 /* split into settings */
    struct setting *settings;
    size_t setting_count;
};

/* Reads `bytes` bytes from `at` of the item on, packed or not. */
enum status recording_read_bytes(const struct recording *recording,
                                 const struct layout_item *item, uint64_t at,
                                 size_t bytes, void *out, struct error *error);

/* Compares `count` rows of a variable by rows (of time or of versions) with
 * their checksums, beginning with `row`. */
enum status recording_check_rows(const struct recording *recording,
                                 const struct layout_item *item, int64_t row,
                                 int64_t count, const void *data,
                                 struct error *error);

/* Reads a row of a variable by rows that is in the file, and checks it. */
enum status recording_read_stored(const struct recording *recording,
                                  const struct layout_item *item, int64_t row,
                                  void *out, struct error *error);

/* Gives the recording a source for its frames between keyframes, which is
 * released with it, and adds the gradients, which it computes too. */
enum status recording_set_source(struct recording *recording,
                                 const struct row_source *source,
                                 struct error *error);

/* The message about damage in the file. */
enum status recording_damaged(const struct recording *recording,
                              const char *variable, const char *fault,
                              struct error *error);

#endif
