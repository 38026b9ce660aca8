/* SPDX-License-Identifier: MIT */
/* An open recording's file, below recording.h: its layout, and its bytes as
 * they are stored. For the rooms that need more than rows: recording/pack and
 * view/replay. */
#ifndef HAMON_RECORDING_READ_FILE_H
#define HAMON_RECORDING_READ_FILE_H

#include "recording/read/inspect.h"
#include "recording/read/recording.h"

struct setting {
    const char *key, *value; /* inside `parameters` */
};

/* Computes rows that the file does not hold from those that it does
 * (view/replay.h). */
struct row_source {
    void *context; /* NULL: there is no source */
    enum status (*read)(void *context, const struct layout_item *item,
                        int64_t row, void *out, struct error *error);
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
    int64_t keyframes; /* K: rows 0, 1, K, K + 1, … are stored; 0: all are */
    struct row_source source; /* of rows that are not stored */
    int64_t rows;
    int64_t *steps; /* of each row */
    size_t versions;
    int64_t *version_steps;
    enum run_state state;
    int64_t table_rows[TABLES];
    char *texts[RECORDING_MAX_TEXTS]; /* as in the shape, NUL behind each */
    char *parameters;                 /* cut into settings */
    struct setting *settings;
    size_t setting_count;
};

/* `bytes` at `at` of the item, packed or not. */
enum status recording_read_bytes(const struct recording *recording,
                                 const struct layout_item *item, uint64_t at,
                                 size_t bytes, void *out, struct error *error);

/* Checks `count` rows of a variable by rows (of time, or of versions), from
 * `row` on, against their checksums. */
enum status recording_check_rows(const struct recording *recording,
                                 const struct layout_item *item, int64_t row,
                                 int64_t count, const void *data,
                                 struct error *error);

/* A row that the file holds, of a variable by rows, checked. */
enum status recording_read_stored(const struct recording *recording,
                                  const struct layout_item *item, int64_t row,
                                  void *out, struct error *error);

/* Gives the recording a source of its rows between keyframes, which is released
 * with it, and adds the gradients, which are computed too. */
enum status recording_set_source(struct recording *recording,
                                 const struct row_source *source,
                                 struct error *error);

/* The message about what is wrong in the file. */
enum status recording_damaged(const struct recording *recording,
                              const char *variable, const char *fault,
                              struct error *error);

#endif
