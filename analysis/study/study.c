/* SPDX-License-Identifier: MIT */
#include "analysis/study/study.h"

#include "base/memory.h"
#include "base/natural.h"
#include "base/need.h"
#include "base/system.h"
#include "base/version.h"
#include "cli/again.h"
#include "cli/recordings.h"
#include "draw/chart/labels.h"
#include "settings/value.h"
#include "view/settings.h"
#include "view/view.h"
#include "wave/arrival/detector.h"
#include "words/words.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS_MOST = 4096 };

/* Settings that affect neither the waves nor the arrivals. */
static bool passed_over(const char *key)
{
    static const char *const heads[] = {
        "title",    "preset", "seed",   "steps",      "agents", "target.",
        "pursuit.", "record", "scale.", "wave.count", "goal",   NULL,
    };
    for (const char *const *head = heads; *head; head++)
        if (strncmp(key, *head, strlen(*head)) == 0)
            return true;
    return false;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    *number = text ? strtod(text, &end) : (double)NAN;
    return text && end != text && !*end;
}

/* Numbers are compared by value, not by their text. */
static bool same(const char *a, const char *b)
{
    if (!a || !b)
        return a == b;
    double x, y;
    if (read_number(a, &x) && read_number(b, &y))
        return !(x < y) && !(x > y);
    return strcmp(a, b) == 0;
}

/* A value twice would count each recording twice. */
static enum status check_values(const struct variation *variation,
                                struct error *error)
{
    for (size_t i = 0; i < variation->count; i++)
        for (size_t k = 0; k < i; k++)
            if (same(variation->values[i], variation->values[k]))
                return error_set(error, STATUS_INPUT,
                                 "--vary %s: %.60s and %.60s are the same "
                                 "value; leave one of them out",
                                 variation->key, variation->values[k],
                                 variation->values[i]);
    return STATUS_OK;
}

static enum status read_variation(const char *text, struct variation *variation,
                                  struct error *error)
{
    variation->text = need_text(text);
    size_t count = 1;
    for (const char *at = text; *at; at++)
        count += *at == ',';
    variation->values = need_memory(count, sizeof *variation->values);
    char *rest = variation->text;
    variation->key = strsep(&rest, "=");
    while (rest)
        variation->values[variation->count++] = strsep(&rest, ",");
    struct arrival_settings settings = arrival_default();
    enum status status =
        variation->count ? STATUS_OK
                         : error_set(error, STATUS_INPUT,
                                     "--vary '%s': KEY=V1,V2,… is required, as "
                                     "in arrival.threshold=1e-2,1e-4",
                                     text);
    for (size_t i = 0; i < variation->count && !status; i++)
        status = arrival_setting_take(&settings, variation->key,
                                      variation->values[i], "--vary", error);
    return status ? status : check_values(variation, error);
}

static enum status read_variations(struct study *study, const char *const *vary,
                                   size_t count, struct error *error)
{
    study->variations = need_memory(count, sizeof *study->variations);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        struct variation *variation =
            &study->variations[study->variation_count++];
        status = read_variation(vary[i], variation, error);
        for (size_t k = 0; k < i && !status; k++)
            if (strcmp(study->variations[k].key, variation->key) == 0)
                status = error_set(error, STATUS_INPUT,
                                   "--vary %s is given twice", variation->key);
    }
    return status;
}

static enum status open_recordings(const struct cli *cli, struct study *study,
                                   char *const *paths, size_t count,
                                   struct error *error)
{
    study->recordings = need_memory(count, sizeof *study->recordings);
    study->texts = need_memory(count, sizeof *study->texts);
    study->paths = need_memory(count, sizeof *study->paths);
    enum status status = STATUS_OK;
    struct counted_runs runs = { 0 };
    for (size_t i = 0; i < count && !status; i++) {
        status = again_open(cli, paths[i], &study->recordings[i], error);
        study->recording_count += !status;
        if (!status)
            study->paths[i] = recording_path(study->recordings[i]);
        if (!status)
            status =
                counted_runs_add(&runs, study->recordings[i], NULL, 0, error);
    }
    counted_runs_release(&runs);
    return status;
}

/* The values of the combination with this number, which has one digit for each
 * variation. */
static void choose_values(const struct study *study, size_t number,
                          const char **varied)
{
    for (size_t i = study->variation_count; i-- > 0;) {
        const struct variation *variation = &study->variations[i];
        varied[i] = variation->values[number % variation->count];
        number /= variation->count;
    }
}

static enum status make_readings(struct study *study, struct error *error)
{
    size_t combinations = 1;
    for (size_t i = 0; i < study->variation_count; i++) {
        combinations *= study->variations[i].count;
        if (combinations * study->recording_count > READINGS_MOST)
            return error_set(error, STATUS_INPUT,
                             "--vary: more than %d readings", READINGS_MOST);
    }
    size_t count = combinations * study->recording_count;
    study->readings = need_memory(count, sizeof *study->readings);
    for (size_t i = 0; i < count; i++) {
        struct reading *reading = &study->readings[i];
        reading->recording = study->recordings[i / combinations];
        reading->varied =
            need_memory(study->variation_count, sizeof *reading->varied);
        study->reading_count++;
        choose_values(study, i % combinations, reading->varied);
    }
    return STATUS_OK;
}

/* The variation of the key; variation_count: there is none. */
static size_t variation_of(const struct study *study, const char *key)
{
    size_t i = 0;
    while (i < study->variation_count &&
           strcmp(study->variations[i].key, key) != 0)
        i++;
    return i;
}

static bool is_varied(const struct study *study, const char *key)
{
    return variation_of(study, key) < study->variation_count;
}

const char *reading_setting(const struct study *study,
                            const struct reading *reading, const char *key)
{
    return is_varied(study, key) ? reading->varied[variation_of(study, key)]
                                 : recording_setting(reading->recording, key);
}

enum status reading_arrival(const struct study *study,
                            const struct reading *reading,
                            struct arrival_settings *settings,
                            struct error *error)
{
    struct arrival_settings varied = arrival_default();
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->variation_count && !status; i++)
        status = arrival_setting_take(&varied, study->variations[i].key,
                                      reading->varied[i], "--vary", error);
    if (!status && !is_varied(study, "arrival.detector"))
        status = arrival_detector_check(reading->recording, error);
    *settings = arrival_default();
    for (const struct key *key = arrival_key_next(NULL); key && !status;
         key = arrival_key_next(key))
        status =
            is_varied(study, key->path)
                ? arrival_setting_take(
                      settings, key->path,
                      reading_setting(study, reading, key->path), "--vary",
                      error)
                : view_setting_read(reading->recording, key, settings, error);
    return status;
}

enum status study_unused_key(const struct study *study, const char **key,
                             const struct detector **detector,
                             struct error *error)
{
    *key = NULL;
    for (size_t i = 0; i < study->reading_count && study->variation_count;
         i++) {
        struct arrival_settings settings;
        enum status status =
            reading_arrival(study, &study->readings[i], &settings, error);
        if (status)
            return status;
        *detector = settings.detector;
        for (size_t j = 0; j < study->variation_count; j++)
            if (!detector_uses(*detector, study->variations[j].key)) {
                *key = study->variations[j].key;
                return STATUS_OK;
            }
    }
    return STATUS_OK;
}

static bool is_pooled(const struct study *study, const char *key)
{
    const struct cli_list *pool = &study->asked->pool;
    for (size_t i = 0; i < pool->count; i++)
        if (strcmp(pool->items[i], key) == 0)
            return true;
    return false;
}

static enum status check_keys(const struct study *study, struct error *error)
{
    const struct cli_list *pool = &study->asked->pool;
    for (size_t i = 0; i < pool->count; i++)
        if (!reading_setting(study, &study->readings[0], pool->items[i]))
            return error_set(error, STATUS_INPUT,
                             "--pool '%s': %s has no such setting; a key is "
                             "required, as in map.file",
                             pool->items[i],
                             recording_path(study->recordings[0]));
    for (size_t i = 0; i < study->asked->by.count; i++) {
        bool known = false;
        for (size_t k = 0; k < study->reading_count; k++)
            known |= reading_setting(study, &study->readings[k],
                                     study->asked->by.items[i]) != NULL;
        if (!known)
            return error_set(error, STATUS_INPUT,
                             "--by %.200s: no recording has this setting; "
                             "hamon-record --keys lists the settings",
                             study->asked->by.items[i]);
    }
    return STATUS_OK;
}

static void add_key(struct study *study, const char *key)
{
    const char *first = reading_setting(study, &study->readings[0], key);
    bool differs = false;
    for (size_t i = 0; i < study->key_count; i++)
        if (strcmp(study->keys[i], key) == 0)
            return;
    for (size_t i = 1; i < study->reading_count && !differs; i++)
        differs =
            !same(first, reading_setting(study, &study->readings[i], key));
    if (differs && (study->asked->by.count ||
                    (!passed_over(key) && !is_pooled(study, key))))
        study->keys[study->key_count++] = key;
}

/* Finds the keys whose values differ: of --by, or of each recording's lines
 * `key = value`. */
static void find_differences(struct study *study)
{
    size_t lines = study->variation_count + study->asked->by.count;
    for (size_t i = 0; i < study->recording_count; i++) {
        const char *text = recording_text(study->recordings[i], "parameters");
        study->texts[i] = need_text(text ? text : "");
        for (const char *at = study->texts[i]; *at; at++)
            lines += *at == '\n';
        lines++;
    }
    study->keys = need_memory(lines, sizeof *study->keys);
    for (size_t i = 0; i < study->asked->by.count; i++)
        add_key(study, study->asked->by.items[i]);
    for (size_t i = 0; i < study->recording_count && !study->asked->by.count;
         i++) {
        char *rest = study->texts[i];
        for (char *line; (line = strsep(&rest, "\n"));) {
            char *equals = strstr(line, " = ");
            if (!equals)
                continue;
            *equals = '\0';
            add_key(study, line);
        }
    }
}

/* ---- labels ---- */

/* Text that grows, and is cut off at the end of its buffer. */
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

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static size_t without_digits(const char *text, size_t length)
{
    while (length && isdigit((unsigned char)text[length - 1]))
        length--;
    return length;
}

/* The number of bytes of a map's name before the size at its end: before the 5
 * of "corridor-l-5", the 11x3 of "duct-l-11x3". */
static size_t before_size(const char *name, size_t length)
{
    size_t first = without_digits(name, length);
    if (first == length || first < 2 || name[first - 1] != 'x')
        return first;
    size_t second = without_digits(name, first - 1);
    return second < first - 1 ? second : first;
}

/* "corridor-l-5.map" as "corridor-l-5", or without its size. */
static void add_stem(struct words *words, const char *path, bool kind)
{
    const char *name = file_name(path);
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    if (kind)
        length = before_size(name, length) ? before_size(name, length) : 1;
    while (kind && length > 1 && name[length - 1] == '-')
        length--;
    add(words, "%.*s", (int)length, name);
}

static const char *leaf_of(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot ? dot + 1 : key;
}

/* A key's last word; or the whole key if a different key with the same last
 * word also differs: "regions.[0].speed". */
static const char *name_of_key(const struct study *study, const char *key)
{
    size_t alike = 0;
    for (size_t i = 0; i < study->key_count; i++)
        alike += strcmp(leaf_of(study->keys[i]), leaf_of(key)) == 0;
    return alike > 1 ? key : leaf_of(key);
}

static void add_setting(struct words *words, const char *name,
                        const char *value)
{
    double number;
    add(words, "%s%s ", words->used ? ", " : "", name);
    if (read_number(value, &number))
        add(words, "%g", number);
    else
        add(words, "%s", value ? value : "unset");
}

/* Does the key equal the pattern, which may have one `*`? */
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

/* A name for readings that do not differ in any setting. It is not the
 * scenario's title, because --set may have changed what the title says. */
static void add_only(const struct study *study, struct words *words)
{
    if (study->recording_count == 1)
        add_stem(words, recording_path(study->recordings[0]), false);
    else
        add(words, "%zu recordings", study->recording_count);
}

/* The settings that distinguish a reading, without the key `without` (NULL:
 * none; a `*` in it matches any text); of the map then only its kind,
 * "corridor-l" of "corridor-l-5.map". */
static void reading_label(const struct study *study,
                          const struct reading *reading, const char *without,
                          char label[STUDY_LABEL_SIZE])
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
            add_stem(&words, value, without && strcmp(without, key) == 0);
        } else {
            add_setting(&words, name_of_key(study, key), value);
        }
    }
    if (!words.used && study->key_count == 0)
        add_only(study, &words);
    if (!words.used)
        add(&words, "all");
}

/* A recording's name, and the varied values of its readings. */
static void file_label(const struct study *study, const struct reading *reading,
                       char label[STUDY_LABEL_SIZE])
{
    struct words words = { label, STUDY_LABEL_SIZE, 0 };
    size_t number = 0;
    while (study->recordings[number] != reading->recording)
        number++;
    recording_label_text(study->paths, study->recording_count, number, label,
                         STUDY_LABEL_SIZE);
    words.used = strlen(label);
    if (words.used > 3 && strcmp(label + words.used - 3, ".h5") == 0)
        label[words.used -= 3] = '\0';
    for (size_t i = 0; i < study->key_count; i++)
        if (is_varied(study, study->keys[i]))
            add_setting(&words, name_of_key(study, study->keys[i]),
                        reading_setting(study, reading, study->keys[i]));
}

/* ---- groups, and their order ---- */

static void make_groups(struct study *study)
{
    study->groups = need_memory(study->reading_count, sizeof *study->groups);
    for (size_t i = 0; i < study->reading_count; i++) {
        char label[STUDY_LABEL_SIZE];
        struct reading *reading = &study->readings[i];
        reading_label(study, reading, NULL, label);
        size_t at = 0;
        while (at < study->group_count &&
               strcmp(study->groups[at].label, label) != 0)
            at++;
        struct group *group = &study->groups[at];
        if (at == study->group_count) {
            memcpy(group->label, label, sizeof label);
            group->first = i;
            study->group_count++;
        }
        group->count++;
        reading->group = at;
    }
}

/* Do recordings differ in more settings than fit a table or a legend, and is
 * each a group of its own? */
static bool needs_file_names(const struct study *study)
{
    enum { SETTINGS_MOST = 5 };
    size_t settings = 0;
    for (size_t i = 0; i < study->key_count; i++)
        settings += !is_varied(study, study->keys[i]);
    return settings > SETTINGS_MOST &&
           study->group_count == study->reading_count;
}

/* Names such groups by their files, unless two would have the same name. */
static void name_by_files(struct study *study)
{
    const size_t count = study->group_count;
    if (!needs_file_names(study))
        return;
    char(*labels)[STUDY_LABEL_SIZE] = need_memory(count, sizeof *labels);
    bool differ = true;
    for (size_t g = 0; g < count && differ; g++) {
        file_label(study, &study->readings[study->groups[g].first], labels[g]);
        for (size_t h = 0; h < g && differ; h++)
            differ = strcmp(labels[g], labels[h]) != 0;
    }
    for (size_t g = 0; g < count && differ; g++)
        memcpy(study->groups[g].label, labels[g], sizeof *labels);
    memory_release(labels);
}

static const char *value_of(const struct study *study, size_t group, size_t key)
{
    return reading_setting(study, &study->readings[study->groups[group].first],
                           study->keys[key]);
}

/* The number of bytes of a map's name before its size and ending. */
static size_t kind_length(const char *file)
{
    const char *dot = strrchr(file, '.');
    return before_size(file, dot ? (size_t)(dot - file) : strlen(file));
}

static bool same_value(const char *a, const char *b, bool map)
{
    if (!a || !b)
        return a == b;
    size_t length = kind_length(a);
    return map ? length == kind_length(b) && strncmp(a, b, length) == 0
               : strcmp(a, b) == 0;
}

/* Values that differ only in numbers, such as boxes: the place of the first of
 * them, and behind it their order. */
static void place_by_numbers(const struct study *study, size_t key,
                             double *places, size_t stride)
{
    const size_t count = study->group_count;
    for (size_t g = 0; g < count; g++) {
        const char *value = value_of(study, g, key);
        size_t first = count, before = 0;
        for (size_t h = 0; value && h < count; h++) {
            const char *other = value_of(study, h, key);
            if (!other || !natural_same_words(value, other))
                continue;
            first = first < h ? first : h;
            before += natural_compare(other, value) < 0;
        }
        if (value)
            places[g * stride] =
                (double)first + (double)before / (double)(count + 1);
    }
}

/* The order of the groups by one setting: numbers by value, also those in other
 * texts; values given to --vary, and words, in the order of first
 * occurrence. */
static void place_by(const struct study *study, size_t key, double *places,
                     size_t stride)
{
    bool map = strcmp(study->keys[key], "map.file") == 0;
    bool numbers = !is_varied(study, study->keys[key]);
    for (size_t g = 0; g < study->group_count; g++)
        numbers &= read_number(value_of(study, g, key), &places[g * stride]) &&
                   !isnan(places[g * stride]);
    for (size_t g = 0; g < study->group_count && !numbers; g++) {
        size_t first = 0;
        while (!same_value(value_of(study, first, key), value_of(study, g, key),
                           map))
            first++;
        places[g * stride] = (double)first;
    }
    if (!numbers && !map && !is_varied(study, study->keys[key]))
        place_by_numbers(study, key, places, stride);
}

/* The size in the map's name: 5 of "corridor-l-5.map", 33 of
 * "duct-l-11x3.3dmap". */
static double map_number(const struct study *study, size_t group)
{
    const char *file = reading_setting(
        study, &study->readings[study->groups[group].first], "map.file");
    if (!file)
        return 0;
    char *end;
    double size = strtod(file + kind_length(file), &end);
    return *end == 'x' ? size * strtod(end + 1, NULL) : size;
}

static int by_places(const void *a, const void *b, void *count)
{
    const double *p = a, *q = b;
    for (size_t i = 0; i < *(size_t *)count; i++)
        if (p[i] < q[i] || p[i] > q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

static void move_groups(struct study *study, const double *places,
                        size_t stride)
{
    size_t count = study->group_count;
    struct group *groups = need_memory(count, sizeof *groups);
    size_t *now = need_memory(count, sizeof *now);
    for (size_t i = 0; i < count; i++) {
        size_t before = (size_t)places[i * stride + stride - 1];
        groups[i] = study->groups[before];
        now[before] = i;
    }
    for (size_t i = 0; i < study->reading_count; i++)
        study->readings[i].group = now[study->readings[i].group];
    memcpy(study->groups, groups, count * sizeof *groups);
    memory_release(groups);
    memory_release(now);
}

/* Is it the group, or the value of a setting that differs? */
static bool is_of(const struct study *study, size_t group, const char *name)
{
    bool is = strcmp(study->groups[group].label, name) == 0;
    for (size_t k = 0; k < study->key_count; k++)
        is |= same(value_of(study, group, k), name);
    return is;
}

/* The first name of --order that the group has, or their number. */
static size_t rank_of(const struct study *study, size_t group)
{
    const struct cli_list *order = &study->asked->order;
    size_t i = 0;
    while (i < order->count && !is_of(study, group, order->items[i]))
        i++;
    return i;
}

static enum status check_order(const struct study *study, struct error *error)
{
    const struct cli_list *order = &study->asked->order;
    for (size_t i = 0; i < order->count; i++) {
        bool known = false;
        for (size_t g = 0; g < study->group_count; g++)
            known |= is_of(study, g, order->items[i]);
        if (!known)
            return error_set(error, STATUS_INPUT,
                             "--order %.200s: no such group, and no such value "
                             "of a setting that differs; the table without "
                             "--order lists the groups",
                             order->items[i]);
    }
    return STATUS_OK;
}

/* Sorts the groups into the order of printing: those of --order, then by each
 * setting that differs, numbers by value, words and values of --vary in the
 * order of first occurrence; maps of one kind by the numbers in their names. */
static void order_groups(struct study *study)
{
    /* One row for each group: its rank, its place by each setting, its map's
     * number, its own number. */
    size_t stride = study->key_count + 3, count = study->group_count;
    double *places = need_memory(count, stride * sizeof *places);
    for (size_t k = 0; k < study->key_count; k++)
        place_by(study, k, places + 1 + k, stride);
    for (size_t g = 0; g < count; g++) {
        places[g * stride] = (double)rank_of(study, g);
        places[g * stride + stride - 2] = map_number(study, g);
        places[g * stride + stride - 1] = (double)g;
    }
    system_sort(places, count, stride * sizeof *places, by_places, &stride);
    move_groups(study, places, stride);
    memory_release(places);
}

/* Is the name of a --label one of a group, of the groups that differ only in
 * the map, of a setting, or another that the program has? */
static enum status check_labels(const struct study *study, struct error *error)
{
    for (size_t i = 0; i < study->labels.count; i++) {
        const char *item = study->labels.items[i];
        bool known = false;
        for (size_t k = 0; k < study->key_count; k++)
            known |= labels_names(item, study->keys[k]);
        for (size_t g = 0; g < study->group_count; g++) {
            char label[STUDY_LABEL_SIZE];
            reading_label(study, &study->readings[study->groups[g].first],
                          "map.file", label);
            known |= labels_names(item, label) ||
                     labels_names(item, study->groups[g].label);
        }
        for (const char *const *name = study->asked->names; name && *name;
             name++)
            known |= labels_names(item, *name);
        if (!known)
            return error_set(error, STATUS_INPUT,
                             "--label '%.200s': NAME=TEXT is required, with a "
                             "group of the table, a method of it, or a setting "
                             "that differs as NAME",
                             item);
    }
    return STATUS_OK;
}

enum status study_open(const struct cli *cli, struct study *study,
                       char *const *paths, size_t count,
                       const struct study_asked *asked, struct error *error)
{
    *study = (struct study){
        .asked = asked, .labels = { asked->labels.items, asked->labels.count }
    };
    enum status status =
        read_variations(study, asked->vary.items, asked->vary.count, error);
    if (!status)
        status = open_recordings(cli, study, paths, count, error);
    if (!status)
        status = make_readings(study, error);
    if (!status)
        status = check_keys(study, error);
    if (status)
        return status;
    find_differences(study);
    study->text_names =
        need_memory(study->key_count + 1, sizeof *study->text_names);
    study->text_names[0] = "group";
    for (size_t k = 0; k < study->key_count; k++)
        study->text_names[k + 1] = study->keys[k];
    make_groups(study);
    name_by_files(study);
    status = check_order(study, error);
    if (status)
        return status;
    order_groups(study);
    return check_labels(study, error);
}

enum status study_require(struct study *study, const char *field, int wave,
                          struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->reading_count && !status; i++)
        status = view_source_of(study->readings[i].recording, field_find(field),
                                wave, &study->readings[i].recording, error);
    return status;
}

void study_release(struct study *study)
{
    for (size_t i = 0; i < study->recording_count; i++) {
        recording_close(study->recordings[i]);
        memory_release(study->texts[i]);
    }
    for (size_t i = 0; i < study->variation_count; i++) {
        memory_release(study->variations[i].text);
        memory_release(study->variations[i].values);
    }
    for (size_t i = 0; i < study->reading_count; i++)
        memory_release(study->readings[i].varied);
    memory_release(study->recordings);
    memory_release(study->texts);
    memory_release(study->paths);
    memory_release(study->variations);
    memory_release(study->readings);
    memory_release(study->groups);
    memory_release(study->keys);
    memory_release(study->text_names);
    *study = (struct study){ 0 };
}

bool study_group_is_first(const struct study *study, size_t group)
{
    const struct group *groups = study->groups;
    for (size_t g = 0; g < group; g++)
        if (study->readings[groups[g].first].recording ==
            study->readings[groups[group].first].recording)
            return false;
    return true;
}

/* ---- tables ---- */

void study_table_init(const struct study *study, struct table *table,
                      const struct table_column *columns, size_t count)
{
    table_init_texts(table, study->text_names,
                     study->keyed ? study->key_count + 1 : 1, columns, count);
}

void study_table_add(const struct study *study, struct table *table,
                     size_t group, const double *numbers)
{
    const char **texts = need_memory(study->key_count + 1, sizeof *texts);
    texts[0] = study->groups[group].label;
    for (size_t k = 0; k < study->key_count; k++) {
        const char *value = value_of(study, group, k);
        texts[k + 1] = value ? value : "";
    }
    table_add_texts(table, texts, numbers);
    memory_release(texts);
}

/* ---- words for the groups ---- */

void study_words(const struct study *study, char **words)
{
    study_words_without(study, NULL, words);
}

/* Groups named by files keep their names. */
void study_words_without(const struct study *study, const char *without,
                         char **words)
{
    const size_t count = study->group_count, each = study->key_count;
    struct labels_rows table = { need_memory(count, sizeof *table.row), count,
                                 study->keys, each };
    const char **values = need_memory(count * each + 1, sizeof *values);
    char(*kinds)[STUDY_LABEL_SIZE] = need_memory(count, sizeof *kinds);
    char(*labels)[STUDY_LABEL_SIZE] = need_memory(count, sizeof *labels);
    for (size_t g = 0; g < count; g++) {
        for (size_t k = 0; k < each; k++) {
            const char *value = value_of(study, g, k);
            if (value && without && is_key(study->keys[k], without)) {
                struct words kind = { kinds[g], STUDY_LABEL_SIZE, 0 };
                if (strcmp(without, "map.file") == 0)
                    add_stem(&kind, value, true);
                value = kinds[g];
            }
            values[g * each + k] = value ? value : "unset";
        }
        reading_label(study, &study->readings[study->groups[g].first], without,
                      labels[g]);
        table.row[g] = (struct labels_row){ "", labels[g], values + g * each };
    }
    if (count > 1 && !needs_file_names(study))
        labels_words(&table, &study->labels, words);
    else
        for (size_t g = 0; g < count; g++) {
            const char *label = study->groups[g].label;
            const char *given = labels_text(&study->labels, label);
            words[g] = need_text(given ? given : label);
        }
    memory_release(table.row);
    memory_release(labels);
    memory_release(kinds);
    memory_release(values);
}

/* ---- lines of a panel ---- */

void study_lines_make(const struct study *study, const char *key,
                      struct study_lines *lines)
{
    *lines = (struct study_lines){ 0 };
    lines->of = need_memory(study->group_count, sizeof *lines->of);
    lines->label = need_memory(study->group_count, sizeof *lines->label);
    for (size_t g = 0; g < study->group_count; g++) {
        char *label = lines->label[lines->count];
        size_t line = 0;
        reading_label(study, &study->readings[study->groups[g].first], key,
                      label);
        while (strcmp(lines->label[line], label) != 0)
            line++;
        lines->of[g] = line;
        lines->count += line == lines->count;
    }
}

void study_lines_release(struct study_lines *lines)
{
    memory_release(lines->of);
    memory_release(lines->label);
    *lines = (struct study_lines){ 0 };
}

/* ---- the caption ---- */

static void add_titles(const struct study *study, bool drawn,
                       struct words *words)
{
    char titles[1024];
    recording_titles((const struct recording *const *)study->recordings,
                     study->recording_count, titles, sizeof titles);
    add(words, "%s%s", *titles ? words_if(drawn, "Scenario: ") : "", titles);
}

/* Do the recordings' own settings differ? A title is not changed by --set, so
 * the groups' labels give the differences; varied readings are of one
 * recording. */
static bool settings_differ(const struct study *study)
{
    for (size_t k = 0; k < study->key_count; k++)
        if (!is_varied(study, study->keys[k]))
            return study->recording_count > 1;
    return false;
}

static void add_plain(struct words *words, const char *name, size_t length)
{
    char text[STUDY_LABEL_SIZE];
    recording_plain(name, length, text, sizeof text);
    add(words, "%s", text);
}

static const char *name_of(const struct study *study, size_t i, size_t *length)
{
    return recording_label(study->paths, study->recording_count, i, length);
}

/* Adds the name, cut off if it is long. */
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
        words->used--; /* do not cut a UTF-8 character */
    add(words, "...");
}

/* Adds the folder that all of the names are in, if there is one. */
static void add_folder(const struct study *study, bool drawn,
                       struct words *words)
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
        add(words, "%s", words_if(drawn, " in "));
        add_plain(words, start, (size_t)(end - start));
    }
}

/* Adds their number, their folder and their names; if there are many, only the
 * first and the last name. */
static void add_files(const struct study *study, bool drawn,
                      struct words *words)
{
    enum { NAMED = 3 };
    size_t count = study->recording_count;
    add(words,
        count == 1 ? words_if(drawn, "%zu recording")
                   : words_if(drawn, "%zu recordings"),
        count);
    if (count > NAMED)
        add_folder(study, drawn, words);
    add(words, "%s", words_if(drawn, ": "));
    for (size_t i = 0; i < count; i++) {
        if (count > NAMED && i > 0 && i + 1 < count)
            continue;
        if (i)
            add(words, "%s", count > NAMED ? ", ..., " : ", ");
        add_name(study, i, words);
    }
}

static void add_makers(const struct study *study, const char *program,
                       bool drawn, struct words *words)
{
    const struct recording *recording = study->recordings[0];
    const char *version = recording_text(recording, "version");
    const char *commit = recording_text(recording, "commit");
    add(words,
        words_if(drawn, "Recorded by hamon %s, commit %.12s; drawn by %s %s, "
                        "commit %s"),
        version ? version : "unknown", commit ? commit : "unknown", program,
        hamon_version, hamon_commit);
}

/* Cuts off text that would fill a column. */
static void cut_off(char *text, size_t most)
{
    size_t end = most;
    if (strlen(text) <= most)
        return;
    while (end && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--; /* do not cut a UTF-8 character */
    memcpy(text + end, " ...", sizeof " ...");
}

/* Names the groups that are not drawn; if there are many, the first ones. */
static void add_left_out(const struct study *study,
                         const struct study_drawn *shown, bool drawn,
                         struct words *words)
{
    enum { ROOM = 200 }; /* bytes, before the others are only counted */
    const size_t count = study->group_count;
    char **names = need_memory(count, sizeof *names);
    study_words(study, names);
    add(words, words_if(drawn, "Not drawn in %s, %zu of %zu: "),
        words_if(drawn, shown->where), count - shown->count, count);
    for (size_t i = shown->count; i < count; i++)
        if (i == shown->count || words->used <= ROOM)
            add(words, "%s%.80s", i > shown->count ? "; " : "",
                drawn ? names[i] : study->groups[i].label);
        else if (i + 1 == count)
            add(words, "; ...");
    for (size_t i = 0; i < count; i++)
        memory_release(names[i]);
    memory_release(names);
}

/* A line of the caption, in English or as it is drawn. */
enum caption_line { LEFT_OUT, NOTE, MORE_NOTE, TITLES, FILES, MAKERS, LINES };

static void say_line(const struct study *study, const struct study_drawn *shown,
                     enum caption_line line, const char *note,
                     const char *program, bool drawn, char text[1024])
{
    struct words words = { text, 1024, 0 };
    const char *end = strchr(note, '\n');
    text[0] = '\0';
    if (line == LEFT_OUT && shown->count < study->group_count)
        add_left_out(study, shown, drawn, &words);
    else if (line == NOTE)
        add(&words, "%.*s", (int)(end ? end - note : (long)strlen(note)), note);
    else if (line == MORE_NOTE && end)
        add(&words, "%s", end + 1);
    else if (line == TITLES && !settings_differ(study))
        add_titles(study, drawn, &words);
    else if (line == FILES)
        add_files(study, drawn, &words);
    else if (line == MAKERS)
        add_makers(study, program, drawn, &words);
    cut_off(text, drawn && !words_english() ? 500 : 300);
}

void study_caption(const struct study *study, const struct study_drawn *shown,
                   const char *note, const char *drawn_note,
                   const char *program, struct chart *chart)
{
    char english[1024] = "", words[1024] = "";
    for (int i = 0; i < LINES; i++) {
        const enum caption_line line = (enum caption_line)i;
        say_line(study, shown, line, note, program, false, english);
        say_line(study, shown, line, drawn_note, program, true, words);
        if (!*english)
            continue;
        chart_comment(chart, english);
        chart_say_words(chart, line >= TITLES ? CHART_SOURCE : CHART_CAPTION,
                        english, words);
    }
}
