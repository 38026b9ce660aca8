/* SPDX-License-Identifier: MIT */
/* A picture written as PNG: the same picture and notes, the same bytes. */
#ifndef HAMON_DRAW_PNG_WRITE_H
#define HAMON_DRAW_PNG_WRITE_H

#include "draw/image.h"

#include <stdbool.h>

/* A word on where the picture is from, kept in it as tEXt (as iTXt where it is
 * not ASCII). `key`: 1 to 79 printable ASCII characters. */
struct image_note {
    const char *key; /* "Source" */
    const char *text;
};

/* Writes `path` ("-": stdout), whole or not at all; see output_open for what
 * `force` allows and for the errors. Pictures of at most 256 colours get a
 * palette, others 24 bits; the palette is sorted from dark to light. */
enum status image_write_png(const struct image *image,
                            const struct image_note *notes, size_t note_count,
                            const char *path, bool force, struct error *error);

#endif
