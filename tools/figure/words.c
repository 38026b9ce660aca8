/* SPDX-License-Identifier: MIT */
#include "tools/figure/composition.h"

#include "base/memory.h"
#include "base/need.h"

#include <string.h>

/* Reads one word from *at on into `word`, which has room for the whole
 * command. */
static enum status take_word(const char **at, char *word, struct error *error)
{
    char quote = 0;
    for (; **at && (quote || **at != ' '); (*at)++) {
        char c = **at;
        if (c == quote) {
            quote = 0;
        } else if (!quote && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == '\\' && quote != '\'') {
            if (!*++*at)
                return error_set(error, STATUS_INPUT,
                                 "ends with a \\; a character must follow");
            *word++ = **at;
        } else if (!quote && strchr("*?$`;|&<>", c)) {
            return error_set(
                error, STATUS_INPUT,
                "%c has a meaning only in a shell, and no shell reads this; "
                "name the files, or put '...' around the word",
                c);
        } else {
            *word++ = c;
        }
    }
    *word = '\0';
    return quote ? error_set(error, STATUS_INPUT, "a %c without a second one",
                             quote)
                 : STATUS_OK;
}

void words_release(char **words)
{
    for (char **word = words; word && *word; word++)
        memory_release(*word);
    memory_release(words);
}

enum status words_split(const char *command, char ***words, size_t *count,
                        struct error *error)
{
    const size_t length = strlen(command);
    char **list = need_memory(length / 2 + 2, sizeof *list);
    char *word = need_memory(length + 1, 1);
    enum status status = STATUS_OK;
    *count = 0;
    for (const char *at = command; !status;) {
        at += strspn(at, " ");
        if (!*at)
            break;
        status = take_word(&at, word, error);
        if (!status)
            list[*count] = need_text(word);
        *count += !status;
    }
    memory_release(word);
    *words = list;
    return status;
}
