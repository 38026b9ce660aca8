/* SPDX-License-Identifier: MIT */
/* What an open recording is made of, for its own files only. */
#ifndef HAMON_RECORDING_RECORDING_PARTS_H
#define HAMON_RECORDING_RECORDING_PARTS_H

#include "recording/inspect.h"
#include "recording/recording.h"

struct setting {
    const char *key, *value; /* inside `parameters` */
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
    struct replay *replay; /* of recordings with keyframes */
    int64_t rows;
    int64_t *steps; /* of each row */
    size_t versions;
    int64_t *version_steps;
    enum run_state state;
    int64_t table_rows[4];
    char *texts[RECORDING_MAX_TEXTS]; /* as in the shape, NUL behind each */
    char *parameters;                 /* cut into settings */
    struct setting *settings;
    size_t setting_count;
};

/* `bytes` at `at` of the item. */
enum status read_bytes(const struct recording *recording,
                       const struct layout_item *item, uint64_t at,
                       size_t bytes, void *out, struct error *error);

/* The same of a packed field. */
enum status read_packed(const struct recording *recording,
                        const struct layout_item *item, uint64_t at,
                        size_t bytes, void *out, struct error *error);

/* Held once, when the recording is opened: the places of the first and the
 * last chunk of each packed field are those that HDF5 told. */
enum status check_places(const struct recording *recording,
                         struct error *error);

/* The head of every message about what the file holds. */
enum status damaged(const struct recording *recording, const char *variable,
                    const char *fault, struct error *error);

/* recording_open.c's steps; each fills its part of the recording. */
enum status read_axes(struct recording *recording, struct error *error);
enum status read_marks(struct recording *recording, struct error *error);
enum status read_steps(struct recording *recording, struct error *error);
enum status read_texts(struct recording *recording, struct error *error);

/* Holds `count` rows of a variable by rows (of time, or of versions), from
 * `row` on, to their checksums. */
enum status check_rows(const struct recording *recording,
                       const struct layout_item *item, int64_t row,
                       int64_t count, const void *data, struct error *error);

#endif
