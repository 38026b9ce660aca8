/* SPDX-License-Identifier: MIT */
/* In which order groups stand, in tables, legends and maps' names. */
#include "study.h"

#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const struct study *study, size_t group, size_t key)
{
    return reading_setting(study, &study->readings[study->groups[group].first],
                           study->keys[key]);
}

static bool read_number(const char *text, double *number)
{
    char *end;
    *number = text ? strtod(text, &end) : (double)NAN;
    return text && end != text && !*end && !isnan(*number);
}

/* How many bytes of a map's name come before its number and ending. */
static size_t kind_length(const char *file)
{
    const char *dot = strrchr(file, '.');
    size_t length = dot ? (size_t)(dot - file) : strlen(file);
    while (length && isdigit((unsigned char)file[length - 1]))
        length--;
    return length;
}

static bool same_value(const char *a, const char *b, bool map)
{
    if (!a || !b)
        return a == b;
    size_t length = kind_length(a);
    return map ? length == kind_length(b) && strncmp(a, b, length) == 0
               : strcmp(a, b) == 0;
}

static bool is_varied(const struct study *study, const char *key)
{
    for (size_t i = 0; i < study->variation_count; i++)
        if (strcmp(study->variations[i].key, key) == 0)
            return true;
    return false;
}

/* Places of the groups by one setting: numbers by their size, but those that
 * were asked for, and words, in the order in which they are met. */
static void place_by(const struct study *study, size_t key, double *places,
                     size_t stride)
{
    bool map = strcmp(study->keys[key], "map.file") == 0;
    bool numbers = !is_varied(study, study->keys[key]);
    for (size_t g = 0; g < study->group_count; g++)
        numbers &= read_number(value_of(study, g, key), &places[g * stride]);
    for (size_t g = 0; g < study->group_count && !numbers; g++) {
        size_t first = 0;
        while (!same_value(value_of(study, first, key), value_of(study, g, key),
                           map))
            first++;
        places[g * stride] = (double)first;
    }
}

/* Of the map's name the number: 5 of "corridor-l-5.map". */
static double map_number(const struct study *study, size_t group)
{
    const char *file = reading_setting(
        study, &study->readings[study->groups[group].first], "map.file");
    return file ? strtod(file + kind_length(file), NULL) : 0;
}

static int by_places(const void *a, const void *b, void *count)
{
    const double *p = a, *q = b;
    for (size_t i = 0; i < *(size_t *)count; i++)
        if (p[i] < q[i] || p[i] > q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

static enum status move_groups(struct study *study, const double *places,
                               size_t stride, struct error *error)
{
    size_t count = study->group_count;
    struct group *groups = memory_new(count, sizeof *groups);
    size_t *now = memory_new(count, sizeof *now);
    enum status status = groups && now ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < count && !status; i++) {
        size_t before = (size_t)places[i * stride + stride - 1];
        groups[i] = study->groups[before];
        now[before] = i;
    }
    for (size_t i = 0; i < study->reading_count && !status; i++)
        study->readings[i].group = now[study->readings[i].group];
    if (!status)
        memcpy(study->groups, groups, count * sizeof *groups);
    memory_release(groups);
    memory_release(now);
    return status;
}

enum status study_order(struct study *study, struct error *error)
{
    /* A row a group: its place by each setting, its map's number, its own. */
    size_t stride = study->key_count + 2, count = study->group_count;
    size_t size;
    double *places = size_multiply(count, stride, &size)
                         ? memory_new(size, sizeof *places)
                         : NULL;
    if (!places)
        return error_memory(error);
    for (size_t k = 0; k < study->key_count; k++)
        place_by(study, k, places + k, stride);
    for (size_t g = 0; g < count; g++) {
        places[g * stride + stride - 2] = map_number(study, g);
        places[g * stride + stride - 1] = (double)g;
    }
    qsort_r(places, count, stride * sizeof *places, by_places, &stride);
    enum status status = move_groups(study, places, stride, error);
    memory_release(places);
    return status;
}
