/* SPDX-License-Identifier: MIT */
#include "range.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char *const at_names[AT_KEYS] = { "step", "x", "y", "z" };

static bool take_number(const char **at, int64_t *number)
{
    char *end;
    if (**at == ' ')
        return false;
    errno = 0;
    *number = strtoimax(*at, &end, 10);
    bool good = !errno && end != *at;
    *at = end;
    return good;
}

enum status range_parse(const char *text, const char *what, struct range *range,
                        struct error *error)
{
    int64_t numbers[3];
    const char *at = text;
    bool good = take_number(&at, &numbers[0]);
    int count = 1;
    for (; good && *at == ':' && count < 3; count++) {
        at++;
        good = take_number(&at, &numbers[count]);
    }
    if (!good || *at)
        return error_set(error, STATUS_INPUT,
                         "%s '%s': N, A:B or A:STEP:B is wanted", what, text);
    struct range made = { numbers[0], 1, numbers[count - 1] };
    if (count == 3)
        made.step = numbers[1];
    if (made.step < 1 || made.last < made.first)
        return error_set(error, STATUS_INPUT,
                         "%s '%s': A:STEP:B needs A <= B and STEP >= 1", what,
                         text);
    *range = made;
    return STATUS_OK;
}

static enum status at_word(const char *word, size_t length,
                           struct place_range places[AT_KEYS],
                           struct error *error)
{
    char text[128];
    const char *equals = memchr(word, '=', length);
    if (!equals || length >= sizeof text)
        return error_set(error, STATUS_INPUT,
                         "--at '%.*s': step=RANGE, x=N, y=N or z=N is wanted",
                         (int)(length < 100 ? length : 100), word);
    for (int key = 0; key < AT_KEYS; key++) {
        size_t name = strlen(at_names[key]);
        if (name != (size_t)(equals - word) ||
            memcmp(word, at_names[key], name) != 0)
            continue;
        size_t value = length - name - 1;
        memcpy(text, equals + 1, value);
        text[value] = '\0';
        char what[16] = "--at ";
        strncat(what, at_names[key], 8);
        places[key].given = true;
        return range_parse(text, what, &places[key].range, error);
    }
    return error_set(error, STATUS_INPUT,
                     "--at '%.*s': unknown key; step, x, y and z are allowed",
                     (int)(equals - word), word);
}

enum status at_parse(const char *text, struct place_range places[AT_KEYS],
                     struct error *error)
{
    for (const char *word = text;; word++) {
        size_t length = strcspn(word, ",");
        enum status status = at_word(word, length, places, error);
        if (status)
            return status;
        word += length;
        if (!*word)
            return STATUS_OK;
    }
}
