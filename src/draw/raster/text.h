/* SPDX-License-Identifier: MIT */
/* Text set in an outline font, measured by FreeType without hinting and without
 * a pixel grid, so that it is as wide everywhere. A character
 * that the font lacks is drawn by another installed font that has it. */
#ifndef HAMON_DRAW_RASTER_TEXT_H
#define HAMON_DRAW_RASTER_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct font;

/* Faces of a font: the chosen one and those for characters that it lacks. */
enum { FONT_FACES = 8 };

/* Opens the font file, or (NULL) the first existing one of those that the build
 * knows: DejaVu Sans, set by configure --with-font; for words in a language
 * that it lacks, the preferred installed font. STATUS_INPUT if `path` is no
 * font, STATUS_FAILED if there is none. Release with font_release. */
enum status font_open(const char *path, struct font **font,
                      struct error *error);
void font_release(struct font *font);

/* The file of the bold face beside the known font, or NULL if there is none. */
const char *font_bold(void);

/* Opens one face of the font again, as a font of its own. */
enum status font_open_face(const struct font *font, int face,
                           struct font **copy, struct error *error);

/* A FreeType face of the font (an FT_Face): the chosen one is 0. */
void *font_face(const struct font *font, int face);

/* The characters of all texts so far that no installed font has, as UTF-8; they
 * are drawn as an empty box. Borrowed; "" if there are none. */
const char *font_lacks(const struct font *font);

/* Text is UTF-8. Tabs and line breaks are drawn as spaces, invalid bytes and
 * invisible characters (controls, marks of direction) as U+FFFD, the
 * replacement character. `size` is the em in pixels. */
double text_width(struct font *font, double size, const char *text);

/* A character with its glyph: its bytes (of the text, or of the replacement),
 * the face that has it, its glyph number there, and the distance to the next
 * one. */
struct text_glyph {
    const char *bytes;
    size_t length;
    int face; /* of font_face */
    unsigned glyph;
    double advance; /* pixels */
};

/* The next one; moves `*text` after it. */
struct text_glyph text_next(struct font *font, double size, const char **text);

/* Shortens the text in place, with "…" at its end, to at most `width`. */
void text_fit(struct font *font, double size, double width, char *text);

/* The height of a capital over the baseline, in ems. */
#define TEXT_CAPITAL 0.729

#endif
