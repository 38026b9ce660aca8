/* SPDX-License-Identifier: MIT */
#include "cli/temporary.h"

#include "base/memory.h"
#include "base/need.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file {
    char *path;
    struct file *next;
};
/* Complete before a handler can see them. They last as long as the process. */
static struct file *volatile files;
static char folder[] = ".hamon-XXXXXX";
static volatile sig_atomic_t has_folder;

/* A signal comes before the folder is made, or after it is known. */
static bool make_folder(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    if (!has_folder)
        has_folder = mkdtemp(folder) != NULL;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return has_folder;
}

static bool is_taken(const char *path)
{
    for (const struct file *file = files; file; file = file->next)
        if (strcmp(file->path, path) == 0)
            return true;
    return false;
}

enum status temporary_name(const char *base, const char **path,
                           struct error *error)
{
    if (!make_folder())
        return error_system(error, STATUS_DISK,
                            "the current folder, in which a temporary "
                            "recording is made");
    struct file *file = need_memory(1, sizeof *file);
    file->path = need_format("%s/%s.h5", folder, base);
    for (int i = 2; is_taken(file->path); i++) {
        memory_release(file->path);
        file->path = need_format("%s/%s-%d.h5", folder, base, i);
    }
    file->next = files;
    files = file;
    *path = file->path;
    return STATUS_OK;
}

void temporary_remove(void)
{
    for (const struct file *file = files; file; file = file->next)
        unlink(file->path);
    if (has_folder)
        rmdir(folder);
}
