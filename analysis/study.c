/* SPDX-License-Identifier: MIT */
#include "study.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS_MOST = 4096 };

/* Settings that make no other wave and no other arrival. */
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

static enum status read_variation(const char *text, struct variation *variation,
                                  struct error *error)
{
    variation->text = memory_text(text);
    size_t count = 1;
    for (const char *at = text; *at; at++)
        count += *at == ',';
    variation->values = memory_new(count, sizeof *variation->values);
    if (!variation->text || !variation->values)
        return error_memory(error);
    char *rest = variation->text;
    variation->key = strsep(&rest, "=");
    while (rest)
        variation->values[variation->count++] = strsep(&rest, ",");
    struct arrival_settings settings = arrival_defaults;
    enum status status =
        variation->count
            ? STATUS_OK
            : error_set(error, STATUS_INPUT,
                        "--vary '%s': KEY=V1,V2,… is wanted, as in "
                        "arrival.threshold=1e-2,1e-4",
                        text);
    for (size_t i = 0; i < variation->count && !status; i++)
        status = arrival_setting_take(&settings, variation->key,
                                      variation->values[i], "--vary", error);
    return status;
}

static enum status read_variations(struct study *study, const char *const *vary,
                                   size_t count, struct error *error)
{
    study->variations = memory_new(count, sizeof *study->variations);
    enum status status = study->variations ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < count && !status; i++)
        status = read_variation(
            vary[i], &study->variations[study->variation_count++], error);
    return status;
}

static enum status open_recordings(struct study *study, char *const *paths,
                                   size_t count, struct error *error)
{
    study->recordings = memory_new(count, sizeof *study->recordings);
    study->texts = memory_new(count, sizeof *study->texts);
    enum status status =
        study->recordings && study->texts ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < count && !status; i++) {
        status = recording_open(paths[i], &study->recordings[i], error);
        study->recording_count += !status;
    }
    return status;
}

/* The values of the combination's number, one digit a variation. */
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
    study->readings = memory_new(count, sizeof *study->readings);
    if (!study->readings)
        return error_memory(error);
    for (size_t i = 0; i < count; i++) {
        struct reading *reading = &study->readings[i];
        reading->recording = study->recordings[i / combinations];
        reading->varied =
            memory_new(study->variation_count, sizeof *reading->varied);
        if (!reading->varied)
            return error_memory(error);
        study->reading_count++;
        choose_values(study, i % combinations, reading->varied);
    }
    return STATUS_OK;
}

const char *reading_setting(const struct study *study,
                            const struct reading *reading, const char *key)
{
    for (size_t i = 0; i < study->variation_count; i++)
        if (strcmp(study->variations[i].key, key) == 0)
            return reading->varied[i];
    return recording_setting(reading->recording, key);
}

double reading_real(const struct study *study, const struct reading *reading,
                    const char *key, double otherwise)
{
    const char *text = reading_setting(study, reading, key);
    char *end;
    double value = text ? strtod(text, &end) : otherwise;
    return text && (end == text || *end) ? otherwise : value;
}

enum status reading_arrival(const struct study *study,
                            const struct reading *reading,
                            struct arrival_settings *settings,
                            struct error *error)
{
    *settings = arrival_defaults;
    enum status status = STATUS_OK;
    for (int i = 0; arrival_setting_keys[i] && !status; i++) {
        const char *key = arrival_setting_keys[i];
        const char *text = reading_setting(study, reading, key);
        if (text)
            status = arrival_setting_take(
                settings, key, text, recording_path(reading->recording), error);
    }
    return status;
}

/* Numbers are equal however they are written. */
static bool same(const char *a, const char *b)
{
    if (!a || !b)
        return a == b;
    char *end_a, *end_b;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    if (end_a != a && !*end_a && end_b != b && !*end_b)
        return !(x < y) && !(x > y);
    return strcmp(a, b) == 0;
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
    if (differs && !passed_over(key))
        study->keys[study->key_count++] = key;
}

/* All keys there are, of each recording's lines `key = value`. */
static enum status find_differences(struct study *study, struct error *error)
{
    size_t lines = study->variation_count;
    for (size_t i = 0; i < study->recording_count; i++) {
        const char *text = recording_text(study->recordings[i], "parameters");
        study->texts[i] = memory_text(text ? text : "");
        if (!study->texts[i])
            return error_memory(error);
        for (const char *at = study->texts[i]; *at; at++)
            lines += *at == '\n';
        lines++;
    }
    study->keys = memory_new(lines, sizeof *study->keys);
    if (!study->keys)
        return error_memory(error);
    for (size_t i = 0; i < study->recording_count; i++) {
        char *rest = study->texts[i];
        for (char *line; (line = strsep(&rest, "\n"));) {
            char *equals = strstr(line, " = ");
            if (!equals)
                continue;
            *equals = '\0';
            add_key(study, line);
        }
    }
    return STATUS_OK;
}

static enum status make_groups(struct study *study, struct error *error)
{
    study->groups = memory_new(study->reading_count, sizeof *study->groups);
    if (!study->groups)
        return error_memory(error);
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
    return STATUS_OK;
}

enum status study_open(struct study *study, char *const *paths, size_t count,
                       const char *const *vary, size_t vary_count,
                       struct error *error)
{
    *study = (struct study){ 0 };
    enum status status = read_variations(study, vary, vary_count, error);
    if (!status)
        status = open_recordings(study, paths, count, error);
    if (!status)
        status = make_readings(study, error);
    if (!status)
        status = find_differences(study, error);
    if (!status)
        status = make_groups(study, error);
    return status ? status : study_order(study, error);
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
    memory_release(study->variations);
    memory_release(study->readings);
    memory_release(study->groups);
    memory_release(study->keys);
    *study = (struct study){ 0 };
}
