/* SPDX-License-Identifier: MIT */
/* A film made by ffmpeg, which is started without a shell and receives the
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
    int words;     /* its messages on stderr, in memory */
    int64_t frames;
    int width, height;
};

/* Is there a kind of film for this ending (.mp4, .webm, .gif), and can it play
 * so many frames a second? STATUS_INPUT with what it can. */
enum status film_check(const char *path, int64_t fps, struct error *error);

/* Starts the film `path`, of frames of this size; for existing files and
 * --force see output_open. STATUS_FAILED if ffmpeg is missing. After a failure
 * no file is left. */
enum status film_open(struct film *film, const char *path, bool force,
                      int width, int height, int64_t fps, struct error *error);

/* Adds a frame. */
enum status film_add(struct film *film, const struct image *image,
                     struct error *error);

/* Ends the film: `path` exists and is complete by ffprobe's count of its
 * frames, or there is an error and no file. STATUS_DISK if the disk is full.
 * film_abandon ends it and leaves no file, after any failure too. */
enum status film_commit(struct film *film, struct error *error);
void film_abandon(struct film *film);

#endif
