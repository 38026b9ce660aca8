/* SPDX-License-Identifier: MIT */
#include "draw/raster/installed.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "words/words.h"

#include <fontconfig/fontconfig.h>
#include <string.h>

#define FAMILY_LETTERS                                                         \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_."

/* A configuration of our own instead of fontconfig's global one: threads
 * release theirs without each other. */
struct installed {
    FcConfig *config;
    FcFontSet *fonts;
};

/* Fonts for all words of a picture: their Latin letters are proportional. */
static const char *const families[] = { "Noto Sans CJK JP", "Noto Sans JP",
                                        "IPAexGothic",      "IPAPGothic",
                                        "TakaoPGothic",     "VL PGothic",
                                        "sans-serif",       NULL };
static const char *const any[] = { "sans-serif", NULL };

/* Chinese, Japanese and Korean fonts draw the same character differently, so
 * the order depends on the language. It is fixed, because a picture must not
 * depend on the locale. */
static FcFontSet *sort(FcConfig *config)
{
    FcResult result;
    FcPattern *pattern =
        FcPatternBuild(NULL, FC_LANG, FcTypeString, "ja", FC_OUTLINE,
                       FcTypeBool, FcTrue, (char *)NULL);
    if (!pattern)
        return NULL;
    for (const char *const *family = words_english() ? any : families; *family;
         family++)
        FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)*family);
    FcConfigSubstitute(config, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcFontSet *fonts = FcFontSort(config, pattern, FcFalse, NULL, &result);
    FcPatternDestroy(pattern);
    return fonts;
}

struct installed *installed_open(void)
{
    struct installed *made = need_memory(1, sizeof *made);
    made->config = FcInitLoadConfigAndFonts();
    made->fonts = made->config ? sort(made->config) : NULL;
    if (made->fonts)
        return made;
    installed_release(made);
    return NULL;
}

void installed_release(struct installed *installed)
{
    if (!installed)
        return;
    if (installed->fonts)
        FcFontSetDestroy(installed->fonts);
    if (installed->config)
        FcConfigDestroy(installed->config);
    memory_release(installed);
}

/* Is it an outline font that has the character? */
static bool has(FcPattern *font, uint32_t character)
{
    FcCharSet *characters;
    FcBool outline;
    return FcPatternGetBool(font, FC_OUTLINE, 0, &outline) == FcResultMatch &&
           outline &&
           FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) ==
               FcResultMatch &&
           FcCharSetHasChar(characters, character);
}

const char *installed_find(const struct installed *installed,
                           uint32_t character, int *face)
{
    for (int i = 0; installed && i < installed->fonts->nfont; i++) {
        FcPattern *font = installed->fonts->fonts[i];
        FcChar8 *file;
        if (has(font, character) &&
            FcPatternGetString(font, FC_FILE, 0, &file) == FcResultMatch &&
            FcPatternGetInteger(font, FC_INDEX, 0, face) == FcResultMatch)
            return (const char *)file;
    }
    return NULL;
}

bool installed_family(char *name, size_t size)
{
    struct installed *installed = installed_open();
    bool found = false;
    for (int i = 0; installed && i < installed->fonts->nfont && !found; i++) {
        FcPattern *font = installed->fonts->fonts[i];
        FcChar8 *family;
        if (!has(font, words_letter()))
            continue;
        /* It may have names in several languages. */
        for (int k = 0;
             FcPatternGetString(font, FC_FAMILY, k, &family) == FcResultMatch &&
             !found;
             k++) {
            size_t length = strspn((const char *)family, FAMILY_LETTERS);
            found = length && length < size && !family[length];
            if (found)
                memcpy(name, family, length + 1);
        }
    }
    installed_release(installed);
    return found;
}

enum status installed_none(struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "--language %s: no installed font has its letters; "
                     "install fonts-noto-cjk, or name a font by --font",
                     words_language());
}

/* Is the character Chinese, Japanese or Korean? */
static bool is_cjk(uint32_t c)
{
    static const uint32_t blocks[][2] = {
        { 0x1100, 0x11ff }, { 0x2e80, 0x9fff },   { 0xa960, 0xa97f },
        { 0xac00, 0xd7ff }, { 0xf900, 0xfaff },   { 0xfe30, 0xfe4f },
        { 0xff00, 0xffef }, { 0x20000, 0x3ffff },
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (c >= blocks[i][0] && c <= blocks[i][1])
            return true;
    return false;
}

const char *lacking_packages(const char *text)
{
    bool cjk = false, other = false;
    for (size_t length; *text; text += length) {
        const unsigned char *at = (const unsigned char *)text;
        length = utf8_character(at);
        bool is = length && is_cjk(utf8_code(at, length));
        cjk |= is;
        other |= !is;
        length = length ? length : 1;
    }
    return !cjk    ? "fonts-noto-core"
           : other ? "fonts-noto-cjk and fonts-noto-core"
                   : "fonts-noto-cjk";
}

void lacking_add(struct lacking *lacking, const char *character, size_t length)
{
    size_t used = strlen(lacking->text);
    if (used + length < sizeof lacking->text &&
        !memmem(lacking->text, used, character, length)) {
        memcpy(lacking->text + used, character, length);
        lacking->text[used + length] = '\0';
    }
}

void lacking_take(struct lacking *lacking, const char *text)
{
    for (size_t length; *text && *text != '"'; text += length) {
        length = utf8_character((const unsigned char *)text);
        length = length ? length : 1;
        lacking_add(lacking, text, length);
    }
}

void lacking_find(struct lacking *lacking, const struct installed *installed,
                  const char *text)
{
    int face;
    for (size_t length; *text; text += length) {
        const unsigned char *at = (const unsigned char *)text;
        length = utf8_character(at);
        if (length > 1 && !utf8_unshown(at) &&
            !installed_find(installed, utf8_code(at, length), &face))
            lacking_add(lacking, text, length);
        length = length ? length : 1;
    }
}
