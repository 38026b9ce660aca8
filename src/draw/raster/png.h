/* SPDX-License-Identifier: MIT */
/* A picture written as PNG: the same picture and notes give the same bytes. */
#ifndef HAMON_DRAW_RASTER_PNG_H
#define HAMON_DRAW_RASTER_PNG_H

#include "base/output.h"
#include "draw/raster/image.h"
#include "draw/raster/sheet.h"

#include <stdbool.h>

/* A note on the source of the picture, stored in it as tEXt (as iTXt if it is
 * not ASCII). `key`: 1 to 79 printable ASCII characters. */
struct image_note {
    const char *key; /* "Source" */
    const char *text;
};

/* Writes `path` ("-": stdout), completely or not at all; see output_open for
 * `force` and for the errors. Pictures of at most 256 colours get a palette,
 * others 24 bits; the palette is sorted from dark to light. pHYs says 300 dots
 * an inch. */
enum status image_write_png(const struct image *image,
                            const struct image_note *notes, size_t note_count,
                            const char *path, bool force, struct error *error);

/* The same into an open file, with a resolution in dots an inch (0: 300).
 * output_commit reports the file's own errors. */
enum status image_print_png(const struct image *image, double dots,
                            const struct image_note *notes, size_t note_count,
                            FILE *file, struct error *error);

/* The same for a sheet, with its cells scaled; always a palette. */
enum status sheet_write_png(const struct sheet *sheet,
                            const struct image_note *notes, size_t note_count,
                            const char *path, bool force, struct error *error);

/* The sheet's or the image's PNG, without notes and pHYs, piece after piece
 * into `put`, which returns whether there was room. STATUS_DISK if there was
 * none. */
struct png_sink {
    bool (*put)(void *context, const void *bytes, size_t count);
    void *context;
};
enum status sheet_encode_png(const struct sheet *sheet,
                             const struct png_sink *sink, struct error *error);
enum status image_encode_png(const struct image *image,
                             const struct png_sink *sink, struct error *error);

#endif
