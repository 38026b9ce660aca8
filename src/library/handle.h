/* SPDX-License-Identifier: MIT */
/* What the functions of include/hamon/hamon.h have in common: the handle, and
 * what each does first and last, so that the caller's thread stays as it was.
 */
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

/* Numbers are read and computed as in the programs: in the locale C, rounded
 * to nearest. */
void call_begin(struct call *call, struct hamon_error *error);

/* Gives everything back, and the error to the caller if there is one. */
int call_end(const struct call *call, enum status status);

/* An argument that is NULL. */
enum status call_null(struct call *call, const char *function);

/* Does a buffer of `count` elements hold `wanted`? */
enum status call_room(struct call *call,
                      const struct hamon_recording *recording, const char *what,
                      size_t wanted, size_t count);

/* Is there such a frame? */
enum status call_frame(struct call *call,
                       const struct hamon_recording *recording, int64_t frame);

/* Copies a struct into one of the caller's, which may be older or newer and
 * begins with its own size. */
enum status call_give(struct call *call, const char *function, const void *made,
                      size_t size, void *out);

#endif
