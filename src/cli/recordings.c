/* SPDX-License-Identifier: MIT */
#include "cli/recordings.h"

#include "base/memory.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes the path, which may be NULL if there is no memory. */
static enum status take(struct recording_paths *paths, char *path,
                        struct error *error)
{
    char **items = path ? memory_more(paths->items, paths->count, &paths->room,
                                      sizeof *items)
                        : NULL;
    if (!items) {
        memory_release(path);
        return error_memory(error);
    }
    paths->items = items;
    paths->items[paths->count++] = path;
    return STATUS_OK;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static enum status take_run(struct recording_paths *paths, const char *folder,
                            const char *name, struct error *error)
{
    char *path = memory_format("%s/%s/run.h5", folder, name);
    if (path && access(path, F_OK) != 0) {
        memory_release(path);
        return STATUS_OK;
    }
    return take(paths, path, error);
}

static enum status take_folder(struct recording_paths *paths,
                               const char *folder, struct error *error)
{
    size_t first = paths->count;
    enum status status = STATUS_OK;
    DIR *directory = opendir(folder);
    if (!directory)
        return error_system(error, STATUS_INPUT, "%s", folder);
    for (struct dirent *entry; !status && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            status = take_run(paths, folder, entry->d_name, error);
    closedir(directory);
    if (!status && paths->count == first)
        return error_set(error, STATUS_INPUT,
                         "%s: a folder without recordings (*/run.h5, as "
                         "hamon-sweep makes them)",
                         folder);
    if (!status)
        qsort(paths->items + first, paths->count - first, sizeof *paths->items,
              by_name);
    return status;
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
        status = is_folder(given[i])
                     ? take_folder(paths, given[i], error)
                     : take(paths, memory_text(given[i]), error);
    return status;
}

void recording_paths_release(struct recording_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        memory_release(paths->items[i]);
    memory_release(paths->items);
    *paths = (struct recording_paths){ 0 };
}
