/* SPDX-License-Identifier: MIT */
#include "settings/parameters.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 80 }; /* maximum bytes of a key or a value in a message */

bool parameters_next(const char **text, struct parameter *parameter)
{
    if (!**text)
        return false;
    const char *line = *text, *end = line + strcspn(line, "\n");
    /* Only within the line: the text after it may be long. */
    const char *equals = memmem(line, (size_t)(end - line), " = ", 3);
    const char *value = equals ? equals + 3 : end;
    *parameter = (struct parameter){
        .key = line,
        .value = value,
        .key_length = (size_t)((equals ? equals : end) - line),
        .value_length = (size_t)(end - value),
    };
    *text = end + (*end == '\n');
    return true;
}

static bool begins(const struct parameter *parameter, const char *head)
{
    size_t length = strlen(head);
    return parameter->key_length >= length &&
           memcmp(parameter->key, head, length) == 0;
}

void parameters_sum(const char *text, bool all, struct sha256 *sum)
{
    struct parameter line;
    while (parameters_next(&text, &line)) {
        if (begins(&line, "preset") || begins(&line, "map.") ||
            (!all && (begins(&line, "title") || begins(&line, "record."))))
            continue;
        sha256_add(sum, line.key, line.key_length);
        sha256_add(sum, "", 1);
        sha256_add(sum, line.value, line.value_length);
        sha256_add(sum, "", 1);
    }
}

static bool same_bytes(const char *a, size_t a_length, const char *b,
                       size_t b_length)
{
    return a_length == b_length && memcmp(a, b, a_length) == 0;
}

static bool same_key(const struct parameter *a, const struct parameter *b)
{
    return same_bytes(a->key, a->key_length, b->key, b->key_length);
}

static int shown(size_t length)
{
    return length < SHOWN ? (int)length : SHOWN;
}

/* Cuts a value to the length that a message shows, from `from` on; returns the
 * text to print before it. */
static const char *cut(struct parameter *parameter, size_t from)
{
    if (parameter->value_length <= SHOWN || from == 0)
        return "";
    parameter->value += from;
    parameter->value_length -= from;
    return "...";
}

static void describe_change(struct parameter *was, struct parameter *is,
                            char change[PARAMETERS_CHANGE_SIZE])
{
    enum { BEFORE = 20 }; /* bytes shown before the first difference */
    size_t same = 0;
    if (!was->key_length || !is->key_length) {
        const struct parameter *only = was->key_length ? was : is;
        snprintf(change, PARAMETERS_CHANGE_SIZE, "%.*s %s",
                 shown(only->key_length), only->key,
                 only == was ? "is no longer set" : "was not set");
        return;
    }
    if (!same_key(was, is)) {
        snprintf(change, PARAMETERS_CHANGE_SIZE,
                 "the keys differ, now %.*s, before %.*s",
                 shown(is->key_length), is->key, shown(was->key_length),
                 was->key);
        return;
    }
    while (same < was->value_length && same < is->value_length &&
           was->value[same] == is->value[same])
        same++;
    const size_t from = same > BEFORE ? same - BEFORE : 0;
    const char *old_gap = cut(was, from), *new_gap = cut(is, from);
    snprintf(change, PARAMETERS_CHANGE_SIZE,
             "%.*s was %s%.*s and is now %s%.*s", shown(was->key_length),
             was->key, old_gap, shown(was->value_length), was->value, new_gap,
             shown(is->value_length), is->value);
}

bool parameters_changed(const char *was, const char *is, const char *except,
                        char change[PARAMETERS_CHANGE_SIZE])
{
    const struct parameter none = { .key = "", .value = "" };
    const struct parameter spared = { except, "", except ? strlen(except) : 0,
                                      0 };
    for (;;) {
        struct parameter old = none, new = none;
        bool more_old = parameters_next(&was, &old);
        bool more_new = parameters_next(&is, &new);
        if (!more_old && !more_new)
            return false;
        bool excepted =
            except && same_key(&old, &spared) && same_key(&new, &spared);
        if (excepted ||
            (same_key(&old, &new) && same_bytes(old.value, old.value_length,
                                                new.value, new.value_length)))
            continue;
        describe_change(&old, &new, change);
        return true;
    }
}
