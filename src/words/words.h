/* SPDX-License-Identifier: MIT */
/* The words that pictures and charts contain, in the language that the user has
 * chosen; never in that of the locale. Messages, tables and metadata stay
 * English. The catalogues, LANGUAGE.po, have gettext's format and are compiled
 * into the library. */
#ifndef HAMON_WORDS_WORDS_H
#define HAMON_WORDS_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* The languages, English first; the names end with NULL. */
extern const char *const words_languages[];

/* Chooses one of them for all pictures of the program, before it starts
 * threads. False: there is no such language. */
bool words_choose(const char *language);

/* "en" unless another language was chosen. */
const char *words_language(void);
bool words_english(void);

/* A letter that a font for the language must have. */
uint32_t words_letter(void);

/* The words in the language, or themselves if the catalogue lacks them; a
 * format of printf has the same conversions, perhaps in another order. */
const char *words_of(const char *english) __attribute__((format_arg(1)));
#define _(english) words_of(english)

/* The same if they are drawn, and English if they are not. */
const char *words_if(bool drawn, const char *english)
    __attribute__((format_arg(2)));

/* Marks words of the catalogue that words_of gets later. */
#define N_(english) english

/* A catalogue; ends with { NULL, NULL }. */
struct words_entry {
    const char *english, *words;
};
extern const struct words_entry words_ja[];

#endif
