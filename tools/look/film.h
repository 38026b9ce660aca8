/* SPDX-License-Identifier: MIT */
/* A film made by ffmpeg, which is started without a shell and fed with the
 * frames through a pipe. */
#ifndef HAMON_TOOLS_LOOK_FILM_H
#define HAMON_TOOLS_LOOK_FILM_H

#include "base/output.h"
#include "draw/raster/image.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct film {
    struct output output;
    pid_t process; /* 0: none */
    int to;        /* the pipe to it, −1: closed */
    int words;     /* what it prints on its stderr, kept in memory */
    int64_t frames;
    int width, height;
};

/* Is there a kind of film for this ending (.mp4, .webm, .gif)? STATUS_INPUT
 * naming those there are. */
enum status film_check_name(const char *path, struct error *error);

/* Starts the film `path`, of frames of this size; what exists and --force: as
 * output_open. STATUS_FAILED where ffmpeg is missing. After a failure nothing
 * is left. */
enum status film_open(struct film *film, const char *path, bool force,
                      int width, int height, int64_t fps, struct error *error);

/* Adds a frame. */
enum status film_add(struct film *film, const struct image *image,
                     struct error *error);

/* Ends the film: `path` is there, whole by ffprobe's count of its frames, or
 * there is an error and nothing. STATUS_DISK if the disk is full.
 * film_abandon ends it without a trace, after any failure too. */
enum status film_commit(struct film *film, struct error *error);
void film_abandon(struct film *film);

#endif
