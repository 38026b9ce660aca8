/* SPDX-License-Identifier: MIT */
/* What a study says of itself: labels, legends, the caption. */
#include "study.h"

#include "base/version.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows to the end of its room, and is cut off there. */
struct words {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *words,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(words->text + words->used, words->size - words->used,
                         format, arguments);
    va_end(arguments);
    if (more > 0)
        words->used += (size_t)more;
    if (words->used >= words->size)
        words->used = words->size - 1;
}

/* The length of a file's name without the part behind its last dot. */
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "corridor-l-5.map" as "corridor-l-5", or without its number. */
static void add_map(struct words *words, const char *path, bool kind)
{
    const char *name = file_name(path);
    size_t length = stem_length(name);
    while (kind && length > 1 && isdigit((unsigned char)name[length - 1]))
        length--;
    while (kind && length > 1 && name[length - 1] == '-')
        length--;
    add(words, "%.*s", (int)length, name);
}

static void add_setting(struct words *words, const char *key, const char *value)
{
    const char *dot = strrchr(key, '.');
    char *end;
    double number = value ? strtod(value, &end) : 0;
    add(words, "%s%s ", words->used ? ", " : "", dot ? dot + 1 : key);
    if (value && end != value && !*end)
        add(words, "%g", number);
    else
        add(words, "%s", value ? value : "unset");
}

void reading_label(const struct study *study, const struct reading *reading,
                   const char *without, char label[STUDY_LABEL_SIZE])
{
    struct words words = { label, STUDY_LABEL_SIZE, 0 };
    label[0] = '\0';
    for (size_t i = 0; i < study->key_count; i++) {
        const char *key = study->keys[i];
        const char *value = reading_setting(study, reading, key);
        if (without && strcmp(key, without) == 0 &&
            strcmp(key, "map.file") != 0)
            continue;
        if (value && strcmp(key, "map.file") == 0) {
            add(&words, "%s", words.used ? ", " : "");
            add_map(&words, value, without && strcmp(without, key) == 0);
        } else {
            add_setting(&words, key, value);
        }
    }
    if (!words.used && study->key_count == 0)
        add(&words, "%s", recording_title(reading->recording));
    if (!words.used)
        add(&words, "all");
}

/* Each title once, the files, who recorded and who drew. */
static void add_titles(const struct study *study, struct words *words)
{
    for (size_t i = 0; i < study->recording_count; i++) {
        const char *title = recording_title(study->recordings[i]);
        size_t before = 0;
        while (before < i &&
               strcmp(recording_title(study->recordings[before]), title) != 0)
            before++;
        if (before == i)
            add(words, "%s%s", i ? "; " : "Scenario: ", title);
    }
}

/* A file's name; where others have it too, as in a sweep, its folder's. */
static void add_file(const struct study *study, size_t i, struct words *words)
{
    const char *path = recording_path(study->recordings[i]);
    const char *name = file_name(path);
    size_t other = 0, length = strlen(name);
    while (other < study->recording_count &&
           (other == i ||
            strcmp(file_name(recording_path(study->recordings[other])), name) !=
                0))
        other++;
    if (other < study->recording_count && name - path > 1) {
        const char *end = name - 1;
        name = end;
        while (name > path && name[-1] != '/')
            name--;
        length = (size_t)(end - name);
    }
    add(words, "%s%.*s", i ? ", " : "", (int)length, name);
}

static void add_files(const struct study *study, struct words *words)
{
    add(words, "%zu recording%s: ", study->recording_count,
        study->recording_count == 1 ? "" : "s");
    for (size_t i = 0; i < study->recording_count; i++)
        add_file(study, i, words);
}

static void add_makers(const struct study *study, const char *program,
                       struct words *words)
{
    const struct recording *recording = study->recordings[0];
    const char *version = recording_text(recording, "version");
    const char *commit = recording_text(recording, "commit");
    add(words, "Recorded by hamon %s, commit %.12s; drawn by %s %s, commit %s",
        version ? version : "unknown", commit ? commit : "unknown", program,
        hamon_version, hamon_commit);
}

/* Cuts a line that would leave the page. */
static void say_caption(struct chart *chart, int line, char *text)
{
    enum { LINE_MOST = 125 };
    size_t length = strlen(text), end = LINE_MOST;
    if (length > LINE_MOST) {
        while (end && ((unsigned char)text[end] & 0xc0) == 0x80)
            end--; /* not within a character */
        memcpy(text + end, " ...", sizeof " ...");
    }
    chart_say(chart, CHART_CAPTION, line, text);
}

void study_tell(const struct study *study, const char *const *more_legends,
                const char *program, struct chart *chart)
{
    char text[1024] = "";
    int legend = 0;
    for (size_t i = 0; i < study->group_count; i++)
        chart_say(chart, CHART_LEGEND, ++legend, study->groups[i].label);
    for (; more_legends && *more_legends; more_legends++)
        chart_say(chart, CHART_LEGEND, ++legend, *more_legends);
    for (int line = 0; line < 3; line++) {
        struct words words = { text, sizeof text, 0 };
        if (line == 0)
            add_titles(study, &words);
        else if (line == 1)
            add_files(study, &words);
        else
            add_makers(study, program, &words);
        say_caption(chart, line + 1, text);
    }
}
