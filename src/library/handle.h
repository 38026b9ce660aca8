/* SPDX-License-Identifier: MIT */
/* The functions that all of include/hamon/hamon.h use: the handle, and what
 * each call does first and last, so that the caller's thread keeps its
 * settings. */
#ifndef HAMON_LIBRARY_HANDLE_H
#define HAMON_LIBRARY_HANDLE_H

#include "base/status.h"
#include "hamon/hamon.h"
#include "recording/read/file.h"
#include "view/headings.h"
#include "view/view.h"

#include <fenv.h>
#include <locale.h>

struct hamon_recording {
    struct recording *recording;
    struct view *view; /* of the last hamon_read_field; NULL: none */
    struct headings *headings;
    int headings_wave;
};

struct call {
    struct hamon_error *error; /* the caller's, or NULL */
    struct error made;
    int number; /* errno */
    locale_t locale;
    fenv_t floats;
};

/* Sets the environment of the programs: locale C, rounding to nearest. */
void call_begin(struct call *call, struct hamon_error *error);

/* Restores the thread's settings, and copies the error to the caller. */
int call_end(const struct call *call, enum status status);

/* The error for an argument that is NULL. */
enum status call_null(struct call *call, const char *function);

/* Checks that a buffer of `count` elements is large enough. */
enum status call_room(struct call *call,
                      const struct hamon_recording *recording, const char *what,
                      size_t wanted, size_t count);

/* Checks that the frame exists. */
enum status call_frame(struct call *call,
                       const struct hamon_recording *recording, int64_t frame);

/* Copies a struct into the caller's, which may be of an older or newer version
 * and begins with its own size. */
enum status call_give(struct call *call, const char *function, const void *made,
                      size_t size, void *out);

#endif
