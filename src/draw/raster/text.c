/* SPDX-License-Identifier: MIT */
#include "draw/raster/text.h"

#include "base/inputs.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "config.h"
#include "draw/raster/installed.h"
#include "words/words.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <ft2build.h>
#include FT_FREETYPE_H

struct font {
    FT_Library library;
    FT_Face face[FONT_FACES]; /* the chosen one, and those for its gaps */
    char *file[FONT_FACES];
    int count;
    double size; /* present size of the faces */
    struct installed *installed;
    bool searched; /* installed_open was called; NULL: it failed */
    struct lacking lacking;
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

/* The file's face becomes the next one of the font. */
static enum status add_face(struct font *font, const char *file, int number,
                            struct error *error)
{
    FT_Face face = NULL;
    char *name = need_text(file);
    if (!note(file, error)) {
        memory_release(name);
        return error_memory(error);
    }
    if (FT_New_Face(font->library, file, number, &face) != 0 ||
        !FT_IS_SCALABLE(face)) {
        FT_Done_Face(face);
        memory_release(name);
        return error_set(error, STATUS_INPUT,
                         "%s: is not an outline font that FreeType can read",
                         file);
    }
    font->file[font->count] = name;
    font->face[font->count++] = face;
    font->size = 0; /* the new face has none yet */
    return STATUS_OK;
}

static enum status open_file(const char *file, int number, struct font **font,
                             struct error *error)
{
    struct font *made = need_memory(1, sizeof *made);
    if (FT_Init_FreeType(&made->library) != 0) {
        memory_release(made);
        return error_memory(error);
    }
    enum status status = add_face(made, file, number, error);
    if (status)
        font_release(made);
    else
        *font = made;
    return status;
}

/* For words that are not English. */
static enum status open_for_words(struct font **font, struct error *error)
{
    struct installed *installed = installed_open();
    int number;
    const char *file = installed_find(installed, words_letter(), &number);
    enum status status =
        file ? open_file(file, number, font, error) : installed_none(error);
    installed_release(installed);
    return status;
}

enum status font_open(const char *path, struct font **font, struct error *error)
{
    if (!path && !words_english())
        return open_for_words(font, error);
    const char *file = path ? path : find_known();
    if (!file)
        return error_set(
            error, STATUS_FAILED,
            "no font is installed to write text with, not even %s; install "
            "DejaVu Sans (fonts-dejavu-core), or name a font by --font",
            HAMON_FONT);
    return open_file(file, 0, font, error);
}

const char *font_bold(void)
{
    static char file[4096];
    const char *plain = find_known();
    const char *end = plain ? strstr(plain, "-Regular.ttf") : NULL;
    if (plain && !end)
        end = strstr(plain, ".ttf");
    if (!end)
        return NULL;
    snprintf(file, sizeof file, "%.*s-Bold.ttf", (int)(end - plain), plain);
    return access(file, R_OK) == 0 ? file : NULL;
}

enum status font_open_face(const struct font *font, int face,
                           struct font **copy, struct error *error)
{
    return open_file(font->file[face], (int)font->face[face]->face_index, copy,
                     error);
}

void font_release(struct font *font)
{
    if (!font)
        return;
    FT_Done_FreeType(font->library); /* its faces too */
    for (int i = 0; i < font->count; i++)
        memory_release(font->file[i]);
    installed_release(font->installed);
    memory_release(font);
}

const char *font_lacks(const struct font *font)
{
    return font->lacking.text;
}

/* Tabs and line breaks: a text has one line. */
static bool is_space(uint32_t c)
{
    return (c >= 0x9 && c <= 0xd) || c == 0x85 || c == 0x2028 || c == 0x2029;
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
    return is_space(c) ? ' ' : is_hidden(c) ? REPLACEMENT : c;
}

static bool set_size(struct font *font, double size)
{
    if (font->size == size)
        return true;
    size = fmin(fmax(size, 1), 2000);
    for (int i = 0; i < font->count; i++)
        if (FT_Set_Char_Size(font->face[i], 0, lround(64 * size), 72, 72) != 0)
            return false;
    font->size = size;
    return true;
}

/* The face of an installed font, opened if it is not yet; -1: there is none. */
static int open_face(struct font *font, const char *file, int number)
{
    struct error error;
    for (int i = 1; i < font->count; i++)
        if (strcmp(font->file[i], file) == 0 &&
            font->face[i]->face_index == number)
            return i;
    if (font->count == FONT_FACES || add_face(font, file, number, &error))
        return -1;
    return font->count - 1;
}

/* The face that has the character, with its glyph's number: the chosen font, or
 * the first installed one that has it, whatever was drawn before. -1: none. */
static int find_face(struct font *font, uint32_t character, FT_UInt *glyph)
{
    *glyph = FT_Get_Char_Index(font->face[0], character);
    if (*glyph)
        return 0;
    if (!font->searched)
        font->installed = installed_open();
    font->searched = true;
    int number;
    const char *file = installed_find(font->installed, character, &number);
    int face = file ? open_face(font, file, number) : -1;
    if (face >= 0)
        *glyph = FT_Get_Char_Index(font->face[face], character);
    return *glyph ? face : -1;
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
    } else if (c == ' ') {
        next.bytes = " ";
        next.length = 1;
    }
    next.face = find_face(font, c, &next.glyph);
    if (next.face < 0) {
        lacking_add(&font->lacking, next.bytes, next.length);
        next.face = 0;
        next.glyph = 0; /* an empty box */
    }
    FT_Face face = font->face[next.face];
    if (set_size(font, size) &&
        FT_Load_Glyph(face, next.glyph, FT_LOAD_NO_HINTING) == 0)
        next.advance = (double)face->glyph->linearHoriAdvance / 65536;
    return next;
}

void *font_face(const struct font *font, int index)
{
    FT_Face face = font->face[index];
    return face;
}

double text_width(struct font *font, double size, const char *text)
{
    double width = 0;
    while (*text)
        width += text_next(font, size, &text).advance;
    return width;
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
