/* SPDX-License-Identifier: MIT */
/* Text set in an outline font by FreeType: no hinting and no grid but the
 * font's own, so that the same font gives the same pixels everywhere. */
#ifndef HAMON_DRAW_RASTER_TEXT_H
#define HAMON_DRAW_RASTER_TEXT_H

#include "draw/raster/mask.h"

#include <stdbool.h>
#include <stddef.h>

struct font;

/* Opens the font file, or (NULL) the first there is of those the build knows:
 * DejaVu Sans, named by configure --with-font. STATUS_INPUT where `path` is no
 * font, STATUS_FAILED where none of the known ones is there. Release with
 * font_release. */
enum status font_open(const char *path, struct font **font,
                      struct error *error);
void font_release(struct font *font);

/* The font's FreeType face (an FT_Face). */
void *font_face(const struct font *font);

/* Text is UTF-8. What is no character, or would not show (controls, marks of
 * direction), is drawn as U+FFFD, the replacement character. `size` is the em
 * in pixels. */
double text_width(struct font *font, double size, const char *text);

/* A character as it is set: its bytes (of the text, or of the one drawn
 * instead), its number in the font, and how far it is to the next one. */
struct text_glyph {
    const char *bytes;
    size_t length;
    unsigned glyph;
    double advance; /* pixels */
};

/* The next one; `*text` goes behind it. */
struct text_glyph text_next(struct font *font, double size, const char **text);

/* Gathers the text in the mask, its baseline from `at` to the right, or with
 * `upward` towards the top. */
void text_draw(struct font *font, double size, const char *text,
               struct mask *mask, const double at[2], bool upward);

/* Shortens the text in place, its end becoming "…", to be at most `width`
 * wide. */
void text_fit(struct font *font, double size, double width, char *text);

/* The height of a capital over the baseline, in ems. */
#define TEXT_CAPITAL 0.729

#endif
