/* SPDX-License-Identifier: MIT */
#include "cli/recordings.h"

#include "base/memory.h"
#include "base/need.h"

#include <dirent.h>
#include <stdbool.h>
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
    return strverscmp(*(char *const *)a, *(char *const *)b);
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
