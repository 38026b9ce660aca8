/* SPDX-License-Identifier: MIT */
#include "draw/raster/text.h"

#include "base/inputs.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

struct font {
    FT_Library library;
    FT_Face face;
    double size; /* present size of the face */
};

/* The usual paths of DejaVu Sans, and at the end of a similar font. */
static const char *const known[] = {
    HAMON_FONT,
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/local/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
};

static const char *find_known(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (access(known[i], R_OK) == 0)
            return known[i];
    return NULL;
}

/* The font is an input, so no output may overwrite it. */
static bool note(const char *file, struct error *error)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    enum status status = fd < 0 ? STATUS_OK : inputs_note(fd, error);
    if (fd >= 0)
        close(fd);
    return !status;
}

enum status font_open(const char *path, struct font **font, struct error *error)
{
    const char *file = path ? path : find_known();
    if (!file)
        return error_set(error, STATUS_FAILED,
                         "no font is there to write text with, not even %s; "
                         "install DejaVu Sans (fonts-dejavu-core), or name a "
                         "font by --font",
                         HAMON_FONT);
    struct font *made = memory_new(1, sizeof *made);
    if (!made || !note(file, error)) {
        memory_release(made);
        return error_memory(error);
    }
    if (FT_Init_FreeType(&made->library) != 0) {
        memory_release(made);
        return error_memory(error);
    }
    if (FT_New_Face(made->library, file, 0, &made->face) != 0 ||
        !FT_IS_SCALABLE(made->face)) {
        font_release(made);
        return error_set(error, STATUS_INPUT,
                         "%s: is no outline font that FreeType reads", file);
    }
    *font = made;
    return STATUS_OK;
}

void font_release(struct font *font)
{
    if (!font)
        return;
    FT_Done_FreeType(font->library); /* its faces too */
    memory_release(font);
}

/* Is the character invisible, or does it change the direction of text? */
static bool is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0xfffe ||
           c == 0xffff;
}

enum { REPLACEMENT = 0xfffd };

/* The next character; moves `*text` after it, or after one byte that starts
 * none. */
static uint32_t next_character(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    size_t bytes = utf8_character(at);
    uint32_t c = bytes ? utf8_code(at, bytes) : REPLACEMENT;
    *text += bytes ? bytes : 1;
    return is_hidden(c) ? REPLACEMENT : c;
}

static bool set_size(struct font *font, double size)
{
    if (font->size == size)
        return true;
    size = fmin(fmax(size, 1), 2000);
    if (FT_Set_Char_Size(font->face, 0, lround(64 * size), 72, 72) != 0)
        return false;
    font->size = size;
    return true;
}

/* Loads a character's outline; returns the distance to the next one, in
 * pixels. */
static double load(struct font *font, uint32_t character)
{
    FT_UInt glyph = FT_Get_Char_Index(font->face, character);
    if (FT_Load_Glyph(font->face, glyph, FT_LOAD_NO_HINTING) != 0)
        return 0;
    return (double)font->face->glyph->linearHoriAdvance / 65536;
}

void *font_face(const struct font *font)
{
    return font->face;
}

struct text_glyph text_next(struct font *font, double size, const char **text)
{
    static const char replacement[] = "\uFFFD";
    struct text_glyph next = { .bytes = *text };
    uint32_t c = next_character(text);
    next.length = (size_t)(*text - next.bytes);
    if (c == REPLACEMENT) {
        next.bytes = replacement;
        next.length = sizeof replacement - 1;
    }
    if (set_size(font, size)) {
        next.advance = load(font, c);
        next.glyph = font->face->glyph->glyph_index;
    }
    return next;
}

double text_width(struct font *font, double size, const char *text)
{
    double width = 0;
    if (!set_size(font, size))
        return 0;
    while (*text)
        width += load(font, next_character(&text));
    return width;
}

/* Gathers the glyph in the slot, its origin at (x, y). */
static void put_glyph(struct font *font, struct mask *mask, double x, double y,
                      bool upward)
{
    FT_GlyphSlot slot = font->face->glyph;
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE)
        return;
    if (upward) {
        FT_Matrix turn = { 0, -0x10000, 0x10000, 0 };
        FT_Outline_Transform(&slot->outline, &turn);
    }
    double left = floor(x), top = floor(y);
    FT_Outline_Translate(&slot->outline, lround(64 * (x - left)),
                         -lround(64 * (y - top)));
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0)
        return;
    const FT_Bitmap *bitmap = &slot->bitmap;
    for (unsigned row = 0; row < bitmap->rows; row++)
        for (unsigned column = 0; column < bitmap->width; column++)
            mask_raise(mask, (int)left + slot->bitmap_left + (int)column,
                       (int)top - slot->bitmap_top + (int)row,
                       bitmap->buffer[(ptrdiff_t)row * bitmap->pitch + column]);
}

void text_draw(struct font *font, double size, const char *text,
               struct mask *mask, const double at[2], bool upward)
{
    double x = at[0], y = at[1];
    if (!set_size(font, size))
        return;
    while (*text) {
        double advance = load(font, next_character(&text));
        put_glyph(font, mask, x, y, upward);
        x += upward ? 0 : advance;
        y -= upward ? advance : 0;
    }
}

void text_fit(struct font *font, double size, double width, char *text)
{
    static const char more[] = "\u2026";
    size_t length = strlen(text);
    if (text_width(font, size, text) <= width || length < sizeof more)
        return;
    length -= sizeof more - 1; /* the written text ends at the same place */
    for (;; length--) {
        while (length && (text[length] & 0xc0) == 0x80)
            length--;
        memcpy(text + length, more, sizeof more);
        if (!length || text_width(font, size, text) <= width)
            return;
    }
}
