/* SPDX-License-Identifier: MIT */
#include "cli/recordings.h"

#include "base/memory.h"
#include "base/natural.h"
#include "base/need.h"
#include "settings/parameters.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void take(struct recording_paths *paths, char *path)
{
    paths->items = need_more(paths->items, paths->count, &paths->room,
                             sizeof *paths->items);
    paths->items[paths->count++] = path;
}

static int by_name(const void *a, const void *b)
{
    return natural_compare(*(char *const *)a, *(char *const *)b);
}

static void take_run(struct recording_paths *paths, const char *folder,
                     const char *name)
{
    char *path = need_format("%s/%s/run.h5", folder, name);
    if (access(path, F_OK) == 0)
        take(paths, path);
    else
        memory_release(path);
}

static enum status take_folder(struct recording_paths *paths,
                               const char *folder, struct error *error)
{
    size_t first = paths->count;
    DIR *directory = opendir(folder);
    if (!directory)
        return error_system(error, STATUS_INPUT, "%s", folder);
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            take_run(paths, folder, entry->d_name);
    closedir(directory);
    if (paths->count == first)
        return error_set(error, STATUS_INPUT,
                         "%s: a folder without recordings (*/run.h5, as "
                         "hamon-sweep makes them)",
                         folder);
    qsort(paths->items + first, paths->count - first, sizeof *paths->items,
          by_name);
    return STATUS_OK;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

enum status recording_paths_make(struct recording_paths *paths,
                                 char *const *given, size_t count,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    *paths = (struct recording_paths){ 0 };
    for (size_t i = 0; i < count && !status; i++)
        if (is_folder(given[i]))
            status = take_folder(paths, given[i], error);
        else
            take(paths, need_text(given[i]));
    return status;
}

void recording_paths_release(struct recording_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        memory_release(paths->items[i]);
    memory_release(paths->items);
    *paths = (struct recording_paths){ 0 };
}

/* The beginning of the last part of path[0 … end). */
static size_t last_part(const char *path, size_t end)
{
    while (end > 0 && path[end - 1] != '/')
        end--;
    return end;
}

/* Does the path end with these whole parts? */
static bool ends_with(const char *path, const char *tail)
{
    size_t length = strlen(path), end = strlen(tail);
    return length >= end && strcmp(path + length - end, tail) == 0 &&
           (length == end || path[length - end - 1] == '/');
}

static bool has_other(const char *const *paths, size_t count, size_t i,
                      const char *tail)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(paths[k], paths[i]) != 0 && ends_with(paths[k], tail))
            return true;
    return false;
}

/* The bytes at the end of every path, with the slash before them, that have the
 * same whole parts; each path has another part before them. */
static size_t common_tail(const char *const *paths, size_t count)
{
    const char *first = paths[0];
    size_t common = 0;
    for (size_t from = last_part(first, strlen(first)); count > 1 && from > 1;
         from = last_part(first, from - 1)) {
        for (size_t k = 0; k < count; k++)
            if (!ends_with(paths[k], first + from) ||
                strlen(paths[k]) <= strlen(first + from) + 1)
                return common;
        common = strlen(first + from) + 1;
    }
    return common;
}

const char *recording_label(const char *const *paths, size_t count, size_t i,
                            size_t *length)
{
    const char *path = paths[i];
    size_t from = last_part(path, strlen(path)), end = strlen(path);
    bool differs = true;
    while (from > 0 && has_other(paths, count, i, path + from)) {
        from = last_part(path, from - 1);
        differs = false;
    }
    if (!differs) {
        size_t common = common_tail(paths, count);
        if (from + common < end)
            end -= common;
    }
    *length = end - from;
    return path + from;
}

size_t recording_plain(const char *path, size_t length, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned code = (unsigned char)path[i];
        if (i + 2 < length && path[i] == '%' &&
            isxdigit((unsigned char)path[i + 1]) &&
            isxdigit((unsigned char)path[i + 2]) &&
            sscanf(path + i + 1, "%2x", &code) == 1) {
            code = code >= ' ' && code < 0x7f ? code : '?';
            i += 2;
        }
        if (used + 1 < size)
            text[used] = (char)code;
        used++;
    }
    if (size)
        text[used < size ? used : size - 1] = '\0';
    return used;
}

void recording_label_text(const char *const *paths, size_t count, size_t i,
                          char *text, size_t size)
{
    size_t length;
    const char *label = recording_label(paths, count, i, &length);
    recording_plain(label, length, text, size);
}

static void add_text(struct sha256 *sum, const char *text)
{
    sha256_add(sum, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Hamon's versions may differ in a fixed error. A recording without its
 * settings, made before 1.0, is known by its file only. */
static enum status identify(const struct recording *recording,
                            const char *const *keys, size_t key_count,
                            char identity[SHA256_TEXT], struct error *error)
{
    const char *parameters = recording_text(recording, "parameters");
    struct sha256 sum;
    struct stat info;
    uint32_t ground;
    enum status status = recording_ground(recording, &ground, error);
    if (status)
        return status;
    sha256_start(&sum);
    sha256_add(&sum, recording_grid(recording), sizeof(struct grid));
    sha256_add(&sum, &ground, sizeof ground);
    add_text(&sum, recording_text(recording, "version"));
    add_text(&sum, recording_text(recording, "commit"));
    for (size_t i = 0; i < key_count; i++)
        add_text(&sum, recording_setting(recording, keys[i]));
    if (parameters) {
        parameters_sum(parameters, false, &sum);
    } else if (stat(recording_path(recording), &info) == 0) {
        sha256_add(&sum, &info.st_dev, sizeof info.st_dev);
        sha256_add(&sum, &info.st_ino, sizeof info.st_ino);
    }
    sha256_end(&sum, identity);
    return STATUS_OK;
}

enum status counted_runs_add(struct counted_runs *runs,
                             const struct recording *recording,
                             const char *const *keys, size_t key_count,
                             struct error *error)
{
    struct counted_run run = { 0 };
    enum status status =
        identify(recording, keys, key_count, run.identity, error);
    for (size_t i = 0; i < runs->count && !status; i++)
        if (strcmp(runs->items[i].identity, run.identity) == 0)
            status = error_set(error, STATUS_INPUT,
                               "%s: is the same run as %s: it has the same "
                               "settings and map; leave one of them out",
                               recording_path(recording), runs->items[i].path);
    if (status)
        return status;
    run.path = need_text(recording_path(recording));
    runs->items =
        need_more(runs->items, runs->count, &runs->room, sizeof *runs->items);
    runs->items[runs->count++] = run;
    return STATUS_OK;
}

void counted_runs_release(struct counted_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        memory_release(runs->items[i].path);
    memory_release(runs->items);
    *runs = (struct counted_runs){ 0 };
}
