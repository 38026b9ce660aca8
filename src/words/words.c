/* SPDX-License-Identifier: MIT */
#include "words/words.h"

#include <stddef.h>
#include <string.h>

enum { ENGLISH, JAPANESE, LANGUAGES };

const char *const words_languages[] = {
    [ENGLISH] = "en",
    [JAPANESE] = "ja",
    [LANGUAGES] = NULL,
};

static const struct {
    uint32_t letter;
    const struct words_entry *catalogue;
} languages[LANGUAGES] = {
    [ENGLISH] = { 'a', NULL }, [JAPANESE] = { 0x3042, words_ja }, /* hiragana A
                                                                   */
};

static int chosen = ENGLISH;

bool words_choose(const char *language)
{
    for (int i = 0; i < LANGUAGES; i++)
        if (strcmp(words_languages[i], language) == 0) {
            chosen = i;
            return true;
        }
    return false;
}

const char *words_language(void)
{
    return words_languages[chosen];
}

bool words_english(void)
{
    return chosen == ENGLISH;
}

uint32_t words_letter(void)
{
    return languages[chosen].letter;
}

const char *words_of(const char *english)
{
    const struct words_entry *entry = languages[chosen].catalogue;
    for (; entry && entry->english; entry++)
        if (strcmp(entry->english, english) == 0)
            return entry->words;
    return english;
}

const char *words_if(bool drawn, const char *english)
{
    return drawn ? words_of(english) : english;
}
