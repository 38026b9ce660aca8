/* SPDX-License-Identifier: MIT */
#include "recording/read/recording.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { NAMED_MOST = 4, VALUE_MOST = 40 };

/* A line "KEY=VALUE" of provenance/set. */
struct change {
    const char *line;
    size_t length, key;
};

/* The line at *lines, which then is the next one; false at the end. */
static bool next_change(const char **lines, struct change *change)
{
    if (!*lines || !**lines)
        return false;
    change->line = *lines;
    change->length = strcspn(*lines, "\n");
    const char *equals = memchr(change->line, '=', change->length);
    change->key = equals ? (size_t)(equals - change->line) : change->length;
    *lines += change->length + (change->line[change->length] == '\n');
    return true;
}

static bool is_key(const struct change *change, const char *key)
{
    return strlen(key) == change->key &&
           memcmp(change->line, key, change->key) == 0;
}

static bool same(const struct change *a, const struct change *b, size_t length)
{
    return memcmp(a->line, b->line, length) == 0;
}

/* Has the recording this line, and no later one of the key? */
static bool has_change(const struct recording *recording,
                       const struct change *change)
{
    const char *lines = recording_text(recording, "set");
    struct change found;
    bool has = false;
    while (next_change(&lines, &found))
        if (found.key == change->key && same(&found, change, change->key))
            has = found.length == change->length &&
                  same(&found, change, change->length);
    return has;
}

static bool is_repeated(const char *lines, const struct change *change)
{
    struct change later;
    while (next_change(&lines, &later))
        if (later.key == change->key && same(&later, change, change->key))
            return true;
    return false;
}

/* A title that was set with the other changes says itself what they are. */
static bool sets_title(const struct recording *recording)
{
    const char *lines = recording_text(recording, "set");
    struct change change;
    while (next_change(&lines, &change))
        if (is_key(&change, "title"))
            return true;
    return false;
}

static const char *title_of(const struct recording *recording)
{
    const char *title = recording_title(recording);
    return title ? title : "";
}

/* Text that is cut off at the end of its buffer. */
struct words {
    char *text;
    size_t size, used;
};

static void add(struct words *words, const char *text, size_t length)
{
    if (words->used + 1 >= words->size)
        return;
    int more = snprintf(words->text + words->used, words->size - words->used,
                        "%.*s", (int)length, text);
    words->used += more > 0 ? (size_t)more : 0;
    if (words->used >= words->size) {
        words->used = utf8_cut(words->text, words->size - 1);
        words->text[words->used] = '\0';
    }
}

static void add_change(struct words *words, const struct change *change)
{
    size_t value = change->length - change->key;
    size_t shown = value > VALUE_MOST
                       ? utf8_cut(change->line + change->key, VALUE_MOST)
                       : value;
    add(words, change->line, change->key + shown);
    add(words, "...", shown < value ? 3 : 0);
}

/* Do all recordings of this title have the change? */
static bool all_have(const struct recording *const *recordings, size_t count,
                     const char *title, const struct change *change)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(title_of(recordings[i]), title) == 0 &&
            !has_change(recordings[i], change))
            return false;
    return true;
}

static void add_changes(struct words *words,
                        const struct recording *const *recordings, size_t count,
                        size_t which)
{
    const char *lines = recording_text(recordings[which], "set");
    const char *title = title_of(recordings[which]);
    struct change change;
    size_t found = 0;
    char more[32];
    if (sets_title(recordings[which]))
        return;
    while (next_change(&lines, &change)) {
        if (strncmp(change.line, "record.", 7) == 0 ||
            is_key(&change, "record") || is_repeated(lines, &change) ||
            !all_have(recordings, count, title, &change))
            continue;
        if (found++ >= NAMED_MOST)
            continue;
        add(words, found == 1 ? " (" : ", ", 2);
        add_change(words, &change);
    }
    if (found > NAMED_MOST) {
        snprintf(more, sizeof more, " and %zu more", found - NAMED_MOST);
        add(words, more, strlen(more));
    }
    add(words, ")", found > 0);
}

void recording_title_among(const struct recording *const *recordings,
                           size_t count, size_t which, char *text, size_t size)
{
    struct words words = { text, size, 0 };
    const char *title = title_of(recordings[which]);
    *text = '\0';
    if (!*title)
        return;
    add(&words, title, strlen(title));
    add_changes(&words, recordings, count, which);
}

void recording_titles(const struct recording *const *recordings, size_t count,
                      char *text, size_t size)
{
    struct words words = { text, size, 0 };
    *text = '\0';
    for (size_t i = 0; i < count; i++) {
        char one[1024];
        size_t before = 0;
        while (strcmp(title_of(recordings[before]), title_of(recordings[i])) !=
               0)
            before++;
        if (before < i)
            continue;
        recording_title_among(recordings, count, i, one, sizeof one);
        add(&words, "; ", words.used && *one ? 2 : 0);
        add(&words, one, strlen(one));
    }
}
