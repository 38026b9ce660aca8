/* SPDX-License-Identifier: MIT */
/* What a study says of itself: labels, legends, the caption. */
#include "study.h"

#include "base/memory.h"
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

/* Is it the key, or of the pattern with one `*`? */
static bool is_key(const char *key, const char *pattern)
{
    const char *star = strchr(pattern, '*');
    if (!star)
        return strcmp(key, pattern) == 0;
    size_t before = (size_t)(star - pattern), behind = strlen(star + 1);
    size_t length = strlen(key);
    return length >= before + behind && strncmp(key, pattern, before) == 0 &&
           strcmp(key + length - behind, star + 1) == 0;
}

void reading_label(const struct study *study, const struct reading *reading,
                   const char *without, char label[STUDY_LABEL_SIZE])
{
    struct words words = { label, STUDY_LABEL_SIZE, 0 };
    label[0] = '\0';
    for (size_t i = 0; i < study->key_count; i++) {
        const char *key = study->keys[i];
        const char *value = reading_setting(study, reading, key);
        if (without && is_key(key, without) && strcmp(key, "map.file") != 0)
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

/* Do the recordings' own settings differ? A title lies after --set, and the
 * groups' labels tell what differs; varied readings are of one recording. */
static bool settings_differ(const struct study *study)
{
    for (size_t k = 0; k < study->key_count; k++) {
        size_t v = 0;
        while (v < study->variation_count &&
               strcmp(study->variations[v].key, study->keys[k]) != 0)
            v++;
        if (v == study->variation_count)
            return study->recording_count > 1;
    }
    return false;
}

/* A sweep's folder names write some characters as %XX. */
static void add_plain(struct words *words, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned code;
        if (i + 2 < length && name[i] == '%' &&
            isxdigit((unsigned char)name[i + 1]) &&
            isxdigit((unsigned char)name[i + 2]) &&
            sscanf(name + i + 1, "%2x", &code) == 1) {
            add(words, "%c", code >= ' ' && code < 0x7f ? (int)code : '?');
            i += 2;
        } else {
            add(words, "%c", name[i]);
        }
    }
}

/* The i-th recording's name: its file's, or where others have that too, as in a
 * sweep, its folder's. */
static const char *name_of(const struct study *study, size_t i, size_t *length)
{
    const char *path = recording_path(study->recordings[i]);
    const char *name = file_name(path);
    size_t other = 0;
    *length = strlen(name);
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
        *length = (size_t)(end - name);
    }
    return name;
}

/* The name, cut where it is long. */
static void add_name(const struct study *study, size_t i, struct words *words)
{
    enum { MOST = 60 };
    size_t length, from = words->used;
    const char *name = name_of(study, i, &length);
    add_plain(words, name, length);
    if (words->used - from <= MOST)
        return;
    words->used = from + MOST;
    while ((words->text[words->used] & 0xc0) == 0x80)
        words->used--; /* not within a character */
    add(words, "...");
}

/* The folder that all of the names are in, if it has one. */
static void add_folder(const struct study *study, struct words *words)
{
    size_t length, bytes = 0;
    const char *folder = recording_path(study->recordings[0]);
    for (size_t i = 0; i < study->recording_count; i++) {
        const char *path = recording_path(study->recordings[i]);
        size_t before = (size_t)(name_of(study, i, &length) - path);
        if (i && (before != bytes || strncmp(path, folder, bytes) != 0))
            return;
        bytes = before;
    }
    if (bytes < 2)
        return;
    const char *end = folder + bytes - 1, *start = end;
    while (start > folder && start[-1] != '/')
        start--;
    if (start < end && strncmp(start, ".", (size_t)(end - start)) != 0) {
        add(words, " in ");
        add_plain(words, start, (size_t)(end - start));
    }
}

/* How many, where, and their names; of many the first and the last. */
static void add_files(const struct study *study, struct words *words)
{
    enum { NAMED = 3 };
    size_t count = study->recording_count;
    add(words, "%zu recording%s", count, count == 1 ? "" : "s");
    if (count > NAMED)
        add_folder(study, words);
    add(words, ": ");
    for (size_t i = 0; i < count; i++) {
        if (count > NAMED && i > 0 && i + 1 < count)
            continue;
        if (i)
            add(words, "%s", count > NAMED ? " to " : ", ");
        add_name(study, i, words);
    }
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

/* Cuts what would fill a column. */
static void say_caption(struct chart *chart, int line, char *text)
{
    enum { LINE_MOST = 300 };
    size_t length = strlen(text), end = LINE_MOST;
    if (length > LINE_MOST) {
        while (end && ((unsigned char)text[end] & 0xc0) == 0x80)
            end--; /* not within a character */
        memcpy(text + end, " ...", sizeof " ...");
    }
    chart_say(chart, CHART_CAPTION, line, 0, text);
}

/* Which groups are not drawn; of many the first. */
static void add_left_out(const struct study *study, size_t drawn,
                         struct words *words)
{
    enum { ROOM = 200 }; /* bytes, before the rest is counted */
    size_t count = study->group_count;
    add(words, "Not drawn where groups have lines of their own, %zu of %zu: ",
        count - drawn, count);
    for (size_t i = drawn; i < count; i++) {
        if (i > drawn && words->used > ROOM) {
            add(words, "; and %zu more", count - i);
            return;
        }
        add(words, "%s%.80s", i > drawn ? "; " : "", study->groups[i].label);
    }
}

static void say_captions(const struct study *study, size_t drawn,
                         const char *note, const char *program,
                         struct chart *chart)
{
    enum line { LEFT_OUT, NOTE, TITLES, FILES, MAKERS, LINES };
    const bool said[LINES] = {
        [LEFT_OUT] = drawn < study->group_count,
        [NOTE] = note && *note,
        [TITLES] = !settings_differ(study),
        [FILES] = true,
        [MAKERS] = true,
    };
    char text[1024] = "";
    int place = 0;
    for (int line = 0; line < LINES; line++) {
        struct words words = { text, sizeof text, 0 };
        if (!said[line])
            continue;
        if (line == LEFT_OUT)
            add_left_out(study, drawn, &words);
        else if (line == NOTE)
            add(&words, "%s", note);
        else if (line == TITLES)
            add_titles(study, &words);
        else if (line == FILES)
            add_files(study, &words);
        else
            add_makers(study, program, &words);
        say_caption(chart, ++place, text);
    }
}

size_t study_drawn(const struct study *study, const char *const *more_legends)
{
    size_t room = CHART_STYLES;
    for (; more_legends && *more_legends; more_legends++)
        room--;
    return study->group_count < room ? study->group_count : room;
}

void study_tell(const struct study *study, const char *const *more_legends,
                const char *note, const char *program, struct chart *chart)
{
    size_t drawn = study_drawn(study, more_legends);
    int place = 0;
    for (size_t i = 0; i < drawn; i++)
        chart_say(chart, CHART_LEGEND, ++place, i + 1, study->groups[i].label);
    for (size_t i = 0; more_legends && more_legends[i]; i++)
        chart_say(chart, CHART_LEGEND, ++place, study->group_count + i + 1,
                  more_legends[i]);
    say_captions(study, drawn, note, program, chart);
}
