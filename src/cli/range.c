/* SPDX-License-Identifier: MIT */
#include "cli/range.h"

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
                         "%s '%s': N, A:B or A:STEP:B is required", what, text);
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

/* Joins one more range to a key. */
static enum status at_add(const char *text, int key, struct place_range *place,
                          struct error *error)
{
    char what[16] = "--at ";
    strncat(what, at_names[key], 8);
    if (place->count > 0 && key != AT_STEP)
        return error_set(
            error, STATUS_INPUT,
            "%s: is given twice; only step may be given several times", what);
    if (place->count == AT_RANGES_MOST)
        return error_set(error, STATUS_INPUT,
                         "%s: at most %d numbers or ranges; A:STEP:B is one",
                         what, AT_RANGES_MOST);
    return range_parse(text, what, &place->ranges[place->count++], error);
}

/* *key: in, the key of the word before, whose list a bare number continues (−1:
 * none); out, that of this word. */
static enum status at_word(const char *word, size_t length, int *key,
                           struct place_range places[AT_KEYS],
                           struct error *error)
{
    char text[128];
    const char *equals = memchr(word, '=', length);
    if ((!equals && *key != AT_STEP) || length >= sizeof text)
        return error_set(error, STATUS_INPUT,
                         "--at '%.*s': step=RANGE, x=N, y=N or z=N is required",
                         (int)(length < 100 ? length : 100), word);
    size_t name = equals ? (size_t)(equals - word) : 0;
    for (int i = 0; i < AT_KEYS && equals; i++)
        if (strlen(at_names[i]) == name && !memcmp(word, at_names[i], name)) {
            *key = i;
            equals = NULL;
        }
    if (equals)
        return error_set(
            error, STATUS_INPUT,
            "--at '%.*s': unknown key; step, x, y and z are allowed", (int)name,
            word);
    const char *value = word + name + (name > 0);
    size_t rest = length - (size_t)(value - word);
    memcpy(text, value, rest);
    text[rest] = '\0';
    return at_add(text, *key, &places[*key], error);
}

enum status place_range_parse(const char *text,
                              struct place_range places[AT_KEYS],
                              struct error *error)
{
    int key = -1;
    for (const char *word = text;; word++) {
        size_t length = strcspn(word, ",");
        enum status status = at_word(word, length, &key, places, error);
        if (status)
            return status;
        word += length;
        if (!*word)
            return STATUS_OK;
    }
}

enum status place_range_plane(const struct place_range places[AT_KEYS],
                              int axes, const char *fault, int *axis,
                              int64_t *at, struct error *error)
{
    *axis = -1;
    for (int i = 0; i < axes; i++) {
        const struct place_range *place = &places[AT_X + i];
        if (!place->count)
            continue;
        if (*axis >= 0 || place->ranges[0].first != place->ranges[0].last)
            return error_set(error, STATUS_INPUT, "%s", fault);
        *axis = i;
        *at = place->ranges[0].first;
    }
    return STATUS_OK;
}
