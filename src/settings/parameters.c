/* SPDX-License-Identifier: MIT */
#include "settings/parameters.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 80 }; /* maximum bytes of a key or a value in a message */

/* A line `key = value` of the parameters. */
struct line {
    const char *text;
    int length, key; /* bytes of the line, and of its key */
};

static bool next_line(const char **text, struct line *line)
{
    if (!**text)
        return false;
    line->text = *text;
    line->length = (int)strcspn(*text, "\n");
    /* Only within the line: the text after it may be long. */
    const char *equals = memmem(*text, (size_t)line->length, " = ", 3);
    line->key = equals ? (int)(equals - *text) : line->length;
    *text += line->length + ((*text)[line->length] == '\n');
    return true;
}

static bool same_bytes(const char *a, int a_length, const char *b, int b_length)
{
    return a_length == b_length && memcmp(a, b, (size_t)a_length) == 0;
}

static int shown(int length)
{
    return length < SHOWN ? length : SHOWN;
}

/* The value of a line. */
static const char *value(const struct line *line, int *length)
{
    int from = line->key + 3 < line->length ? line->key + 3 : line->length;
    *length = line->length - from;
    return line->text + from;
}

/* Cuts a value to the length that a message shows, from `from` on; returns the
 * text to print before it. */
static const char *cut(const char **text, int *length, int from)
{
    if (*length > SHOWN && from > 0) {
        *text += from;
        *length = shown(*length - from);
        return "...";
    }
    *length = shown(*length);
    return "";
}

static void describe_change(const struct line *was, const struct line *is,
                            char change[PARAMETERS_CHANGE_SIZE])
{
    enum { BEFORE = 20 }; /* bytes shown before the first difference */
    int old_length, new_length, same = 0;
    const char *old = value(was, &old_length), *new = value(is, &new_length);
    if (!was->key || !is->key) {
        const struct line *only = was->key ? was : is;
        snprintf(change, PARAMETERS_CHANGE_SIZE, "%.*s %s", shown(only->key),
                 only->text, was->key ? "is no longer set" : "was not set");
        return;
    }
    if (!same_bytes(was->text, was->key, is->text, is->key)) {
        snprintf(change, PARAMETERS_CHANGE_SIZE,
                 "the keys differ, now %.*s, before %.*s", shown(is->key),
                 is->text, shown(was->key), was->text);
        return;
    }
    while (same < old_length && same < new_length && old[same] == new[same])
        same++;
    const char *old_gap = cut(&old, &old_length, same - BEFORE);
    const char *new_gap = cut(&new, &new_length, same - BEFORE);
    snprintf(change, PARAMETERS_CHANGE_SIZE,
             "%.*s was %s%.*s and is now %s%.*s", shown(was->key), was->text,
             old_gap, old_length, old, new_gap, new_length, new);
}

bool parameters_changed(const char *was, const char *is, const char *except,
                        char change[PARAMETERS_CHANGE_SIZE])
{
    struct line old = { "", 0, 0 }, new = { "", 0, 0 };
    int spared = except ? (int)strlen(except) : 0;
    for (;;) {
        bool more_old = next_line(&was, &old), more_new = next_line(&is, &new);
        if (!more_old && !more_new)
            return false;
        if (!more_old)
            old = (struct line){ "", 0, 0 };
        if (!more_new)
            new = (struct line){ "", 0, 0 };
        bool excepted = except &&
                        same_bytes(old.text, old.key, except, spared) &&
                        same_bytes(new.text, new.key, except, spared);
        if (excepted || same_bytes(old.text, old.length, new.text, new.length))
            continue;
        describe_change(&old, &new, change);
        return true;
    }
}

bool parameters_next(const char **text, struct parameter *parameter)
{
    struct line line;
    int length;
    if (!next_line(text, &line))
        return false;
    parameter->key = line.text;
    parameter->key_length = (size_t)line.key;
    parameter->value = value(&line, &length);
    parameter->value_length = (size_t)length;
    return true;
}
