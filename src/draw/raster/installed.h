/* SPDX-License-Identifier: MIT */
/* The fonts of this computer, as fontconfig lists them: which of them has a
 * character. */
#ifndef HAMON_DRAW_RASTER_INSTALLED_H
#define HAMON_DRAW_RASTER_INSTALLED_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct installed;

/* The outline fonts in the order of preference for Japanese text without
 * serifs. NULL if fontconfig finds none. */
struct installed *installed_open(void);
void installed_release(struct installed *installed);

/* The first font that has the character: its file, borrowed, and the number of
 * its face there. NULL if none has it; `installed` may be NULL. */
const char *installed_find(const struct installed *installed,
                           uint32_t character, int *face);

/* The first font that has the language of words (words/words.h): its family's
 * name, for fontconfig, in letters that chart_font_check allows. False: there
 * is none. */
bool installed_family(char *name, size_t size);

/* The error if there is none: STATUS_FAILED, with what to install. */
enum status installed_none(struct error *error);

/* Characters that no font has, each once, in UTF-8. */
struct lacking {
    char text[64];
};

/* For a file, its characters that are lacking, and lacking_packages; the
 * characters are behind LACKING_WORDS, up to the next quote. */
#define LACKING_WORDS ": no installed font has \""
#define LACKING_MESSAGE "%s" LACKING_WORDS "%s\": install %s"

/* Debian's packages of fonts with characters as those of the text. */
const char *lacking_packages(const char *text);

/* Adds a character of `length` bytes, if it is new and there is room. */
void lacking_add(struct lacking *lacking, const char *character, size_t length);

/* Adds all characters of the text, up to its end or to a quote. */
void lacking_take(struct lacking *lacking, const char *text);

/* Adds the characters of the text, beyond ASCII, that no font has. */
void lacking_find(struct lacking *lacking, const struct installed *installed,
                  const char *text);

#endif
